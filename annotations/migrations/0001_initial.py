import django.db.models.deletion
import django.db.models.fields.json
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import uuid
from django.conf import settings
from django.db import migrations, models

from common.append_only import forbid_changes, forbid_removals, forbid_updates


class Migration(migrations.Migration):
    """Collections, people's roles, queries, pages, drafts and gold standards; what is published never changes."""

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hides', models.CharField(choices=[('nothing', 'Nothing'), ('some', 'Some'), ('all', 'All')], default='all', max_length=7)),
                ('streams_shown', models.BooleanField(default=False)),
                ('reveals', models.BooleanField(default=False)),
                ('board_hidden', models.BooleanField(default=False)),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('closes_at', models.DateTimeField(blank=True, null=True)),
                ('per_day', models.PositiveIntegerField(blank=True, null=True)),
                ('in_all', models.PositiveIntegerField(blank=True, null=True)),
                ('measure', models.CharField(default='qc4_f', max_length=40)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Gold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('sha256', models.CharField(max_length=64)),
                ('n_pages', models.PositiveIntegerField()),
                ('n_topics', models.PositiveIntegerField()),
                ('n_levels', models.PositiveIntegerField()),
                ('n_outliers', models.PositiveIntegerField()),
                ('topics_per_level', models.JSONField()),
                ('completion', models.CharField(default='strict', max_length=8)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ('query', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Stream',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('key', models.CharField(max_length=200)),
                ('text', models.TextField(blank=True)),
                ('position', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('n_points', models.PositiveIntegerField()),
                ('n_dimensions', models.PositiveIntegerField()),
                ('n_classes', models.PositiveIntegerField()),
                ('n_noise', models.PositiveIntegerField()),
                ('first_time', models.FloatField()),
                ('last_time', models.FloatField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ('collection', 'position', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='VectorSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('origin', models.CharField(choices=[('uploaded', 'Uploaded'), ('text', 'Text')], max_length=8)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('sha256', models.CharField(max_length=64)),
                ('n_pages', models.PositiveIntegerField()),
                ('n_dimensions', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('query', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='ChallengeResults',
            fields=[
                ('challenge', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='results', serialize=False, to='annotations.challenge')),
                ('content', models.JSONField()),
                ('settled_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True)),
                ('licence', models.CharField(blank=True, default='', max_length=200)),
                ('licence_url', models.CharField(blank=True, default='', max_length=500)),
                ('citation', models.TextField(blank=True, default='')),
                ('contact', models.CharField(blank=True, default='', max_length=200)),
                ('language', models.CharField(blank=True, default='', max_length=35)),
                ('visibility', models.CharField(choices=[('private', 'Private'), ('public', 'Public')], default='private', max_length=7)),
                ('hidden_for', models.CharField(blank=True, default='', max_length=500)),
                ('participation', models.CharField(choices=[('members', 'Members'), ('request', 'Request'), ('anybody', 'Anybody')], default='members', max_length=7)),
                ('timing', models.CharField(choices=[('on', 'On'), ('off', 'Off')], default='on', max_length=3)),
                ('guidelines_number', models.PositiveIntegerField(default=0)),
                ('import_notes', models.JSONField(blank=True, default=list)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('arriving_at', models.DateTimeField(editable=False, null=True)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('name', 'pk'),
            },
        ),
        migrations.AddField(
            model_name='challenge',
            name='collection',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='challenge', to='annotations.collection'),
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('name', models.CharField(max_length=200)),
                ('kind', models.CharField(choices=[('shared', 'Shared'), ('own', 'Own'), ('adjudication', 'Adjudication')], max_length=12)),
                ('status', models.CharField(choices=[('open', 'Open'), ('submitted', 'Submitted')], default='open', max_length=9)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('head', models.UUIDField(default=uuid.uuid4)),
                ('started_from', models.JSONField(blank=True, default=dict)),
                ('summary', models.JSONField(blank=True, default=dict)),
                ('placed', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('placed', django.db.models.fields.json.KeyTextTransform('0', django.db.models.fields.json.KeyTextTransform('levels', 'summary'))), models.IntegerField()), 0), output_field=models.IntegerField())),
                ('talk', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('changed_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('submitted_at', models.DateTimeField(null=True)),
                ('reopened_at', models.DateTimeField(null=True)),
                ('archived_at', models.DateTimeField(null=True)),
                ('is_dependent', models.BooleanField(default=False)),
                ('reopened_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('curator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                ('based_on', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='annotations.gold')),
            ],
            options={
                'ordering': ('query', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Adjudication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('minimum', models.FloatField()),
                ('n_agreed', models.PositiveIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('draft', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='adjudication', to='annotations.draft')),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='DraftEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('op_id', models.UUIDField()),
                ('label', models.CharField(max_length=500)),
                ('operations', models.JSONField(null=True)),
                ('changes', models.JSONField()),
                ('undoes', models.PositiveIntegerField(null=True)),
                ('redoes', models.PositiveIntegerField(null=True)),
                ('restores', models.PositiveIntegerField(null=True)),
                ('skipped', models.JSONField(default=list)),
                ('created_at', models.DateTimeField()),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='annotations.draft')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'draft entries',
                'ordering': ('draft_id', 'revision'),
            },
        ),
        migrations.CreateModel(
            name='DraftLoss',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('topic', models.CharField(max_length=200)),
                ('name', models.CharField(max_length=200)),
                ('pages', models.JSONField()),
                ('settled_at', models.DateTimeField(null=True)),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='losses', to='annotations.draft')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'draft losses',
                'ordering': ('draft_id', 'revision', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='DraftPresence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(blank=True, max_length=200)),
                ('seen_at', models.DateTimeField()),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='presences', to='annotations.draft')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('draft_id', 'user_id'),
            },
        ),
        migrations.CreateModel(
            name='DraftTime',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('last_at', models.DateTimeField()),
                ('seconds', models.FloatField(default=0)),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='times', to='annotations.draft')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('draft_id', 'user_id'),
            },
        ),
        migrations.CreateModel(
            name='DraftSnapshot',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('state', models.BinaryField()),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='snapshots', to='annotations.draft')),
            ],
            options={
                'ordering': ('draft_id', 'revision'),
            },
        ),
        migrations.CreateModel(
            name='DraftTouch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(max_length=200)),
                ('revision', models.PositiveIntegerField()),
                ('topic', models.CharField(blank=True, max_length=200)),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='touches', to='annotations.draft')),
            ],
            options={
                'verbose_name_plural': 'draft touches',
                'ordering': ('draft_id', 'page', 'revision'),
            },
        ),
        migrations.CreateModel(
            name='GoldFile',
            fields=[
                ('packed', models.BinaryField()),
                ('gold', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file', serialize=False, to='annotations.gold')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='GoldOutline',
            fields=[
                ('packed', models.BinaryField()),
                ('gold', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='outline', serialize=False, to='annotations.gold')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='GoldVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('note', models.TextField(blank=True)),
                ('published_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_versions', to='annotations.collection')),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('collection', '-number'),
            },
        ),
        migrations.CreateModel(
            name='DraftPublication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('published_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotations.draft')),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotations.gold')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotations.goldversion')),
            ],
            options={
                'ordering': ('draft', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='GoldVersionEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='annotations.gold')),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='annotations.goldversion')),
            ],
            options={
                'ordering': ('version', 'query'),
            },
        ),
        migrations.AddField(
            model_name='goldversion',
            name='golds',
            field=models.ManyToManyField(related_name='versions', through='annotations.GoldVersionEntry', to='annotations.gold'),
        ),
        migrations.CreateModel(
            name='GuidelinesVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guidelines', to='annotations.collection')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('collection', '-number'),
            },
        ),
        migrations.CreateModel(
            name='RoleOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('curator', 'Curator'), ('adjudicator', 'Adjudicator'), ('submitter', 'Submitter'), ('reader', 'Reader')], max_length=11)),
                ('offered_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='open', max_length=9)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='role_offers', to='annotations.collection')),
                ('offered_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='role_offers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('collection', 'user', 'role'), name='one_open_offer_each'), models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'curator', 'adjudicator', 'submitter', 'reader'])), name='offered_role_known'), models.CheckConstraint(condition=models.Q(('state__in', ['open', 'accepted', 'declined', 'withdrawn'])), name='offer_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('ended_at__isnull', False)), _connector='OR'), name='offer_ended_at_its_end')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('curator', 'Curator'), ('adjudicator', 'Adjudicator'), ('submitter', 'Submitter'), ('reader', 'Reader')], max_length=11)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('prefix', models.CharField(max_length=12)),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('most_uses', models.PositiveIntegerField(default=1)),
                ('used', models.PositiveIntegerField(default=0)),
                ('sign_ups', models.PositiveIntegerField(default=0)),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='annotations.collection')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='InvitationUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('accepted_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('invitation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uses', to='annotations.invitation')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('invitation', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('curator', 'Curator'), ('adjudicator', 'Adjudicator'), ('submitter', 'Submitter'), ('reader', 'Reader')], max_length=11)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotations.collection')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('collection', 'user', 'role'),
            },
        ),
        migrations.CreateModel(
            name='ParticipationRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.TextField(blank=True)),
                ('asked_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('state', models.CharField(choices=[('open', 'Open'), ('accepted', 'Accepted'), ('declined', 'Declined'), ('withdrawn', 'Withdrawn')], default='open', max_length=9)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.TextField(blank=True)),
                ('answered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participation_requests', to='annotations.collection')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='participation_requests', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='Query',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('key', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('position', models.PositiveIntegerField()),
                ('extra', models.JSONField(blank=True, default=dict)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queries', to='annotations.collection')),
            ],
            options={
                'verbose_name_plural': 'queries',
                'ordering': ('collection', 'position', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200)),
                ('position', models.PositiveIntegerField()),
                ('rank', models.PositiveIntegerField(null=True)),
                ('url', models.TextField(null=True)),
                ('title', models.TextField(null=True)),
                ('snippet', models.TextField(null=True)),
                ('text', models.TextField(null=True)),
                ('extra', models.JSONField(blank=True, default=dict)),
                ('query', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='annotations.query')),
            ],
            options={
                'ordering': ('query_id', 'position'),
            },
        ),
        migrations.AddField(
            model_name='goldversionentry',
            name='query',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_entries', to='annotations.query'),
        ),
        migrations.AddField(
            model_name='gold',
            name='query',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='golds', to='annotations.query'),
        ),
        migrations.AddField(
            model_name='draft',
            name='query',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='annotations.query'),
        ),
        migrations.AddField(
            model_name='challenge',
            name='shown',
            field=models.ManyToManyField(blank=True, related_name='shown_in', to='annotations.query'),
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('due', models.DateField(null=True)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('assigned_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('assigned_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('curator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('query', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotations.query')),
            ],
            options={
                'ordering': ('query', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='StreamFile',
            fields=[
                ('packed', models.BinaryField()),
                ('stream', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file', serialize=False, to='annotations.stream')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='stream',
            name='collection',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='streams', to='annotations.collection'),
        ),
        migrations.AddField(
            model_name='stream',
            name='created_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='VectorFile',
            fields=[
                ('packed', models.BinaryField()),
                ('vectors', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file', serialize=False, to='annotations.vectorset')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='vectorset',
            name='query',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vector_sets', to='annotations.query'),
        ),
        migrations.CreateModel(
            name='ComparedDraft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=200)),
                ('document', models.BinaryField()),
                ('notes', models.JSONField(default=dict)),
                ('adjudication', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='compared', to='annotations.adjudication')),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='compared_in', to='annotations.draft')),
            ],
            options={
                'ordering': ('adjudication', 'position'),
                'constraints': [models.UniqueConstraint(fields=('adjudication', 'position'), name='compared_draft_position_once'), models.UniqueConstraint(fields=('adjudication', 'draft'), name='compared_draft_once')],
            },
        ),
        migrations.CreateModel(
            name='AdjudicationStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('op_id', models.UUIDField()),
                ('revision', models.PositiveIntegerField(null=True)),
                ('seen', models.PositiveIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('n_open', models.PositiveIntegerField()),
                ('is_refused', models.BooleanField(default=False)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('adjudication', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='annotations.adjudication')),
                ('redoes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='redone_by', to='annotations.adjudicationstep')),
                ('undoes', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='undone_by', to='annotations.adjudicationstep')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('adjudication', 'pk'),
                'constraints': [models.UniqueConstraint(fields=('adjudication', 'op_id'), name='adjudication_step_once'), models.UniqueConstraint(fields=('adjudication', 'number'), name='adjudication_step_number_once'), models.CheckConstraint(condition=models.Q(('undoes__isnull', True), ('redoes__isnull', True), _connector='OR'), name='adjudication_step_undoes_or_redoes')],
            },
        ),
        migrations.CreateModel(
            name='AdjudicationDecision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(choices=[('topic', 'Topic'), ('name', 'Name'), ('parent', 'Parent'), ('page', 'Page')], max_length=6)),
                ('side', models.CharField(max_length=6)),
                ('key', models.CharField(max_length=200)),
                ('choice', models.CharField(choices=[('first', 'First'), ('second', 'Second'), ('third', 'Third'), ('fourth', 'Fourth'), ('fifth', 'Fifth'), ('sixth', 'Sixth'), ('all', 'All'), ('majority', 'Majority'), ('outlier', 'Outlier'), ('same', 'Same'), ('typed', 'Typed'), ('skip', 'Skip'), ('reopen', 'Reopen')], max_length=8)),
                ('other', models.CharField(blank=True, max_length=200)),
                ('reason', models.CharField(blank=True, choices=[('', 'no reason given'), ('guideline', 'guideline unclear'), ('slip', 'slip'), ('ambiguous', 'ambiguous page'), ('missing', 'missing topic'), ('other', 'other')], max_length=9)),
                ('note', models.TextField(blank=True)),
                ('repeats', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotations.adjudicationdecision')),
                ('step', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rows', to='annotations.adjudicationstep')),
            ],
            options={
                'ordering': ('step', 'pk'),
                'constraints': [models.CheckConstraint(condition=models.Q(('about__in', ['topic', 'name', 'parent', 'page'])), name='decision_about_known'), models.CheckConstraint(condition=models.Q(('side__in', ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'])), name='decision_side_known'), models.CheckConstraint(condition=models.Q(('choice__in', ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'all', 'majority', 'outlier', 'same', 'typed', 'skip', 'reopen'])), name='decision_choice_known'), models.CheckConstraint(condition=models.Q(('reason__in', ['', 'guideline', 'slip', 'ambiguous', 'missing', 'other'])), name='decision_reason_known'), models.CheckConstraint(condition=models.Q(models.Q(('choice__in', ['same', 'typed']), ('other__gt', '')), models.Q(models.Q(('choice__in', ['same', 'typed']), _negated=True), ('other', '')), _connector='OR'), name='decision_names_another'), models.CheckConstraint(condition=models.Q(models.Q(('reason', 'other'), _negated=True), models.Q(('note', ''), _negated=True), _connector='OR'), name='decision_other_reason_has_a_note')],
            },
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='collection_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('visibility__in', ['private', 'public'])), name='collection_visibility_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('participation__in', ['members', 'request', 'anybody'])), name='collection_participation_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('hidden_for', ''), ('visibility', 'private'), _connector='OR'), name='hidden_collection_is_private'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('arriving_at__isnull', True), ('visibility', 'private'), _connector='OR'), name='collection_arrives_unseen'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('timing__in', ['on', 'off'])), name='collection_timing_known'),
        ),
        migrations.AddConstraint(
            model_name='adjudication',
            constraint=models.CheckConstraint(condition=models.Q(('minimum__gt', 0), ('minimum__lte', 1)), name='adjudication_minimum_share'),
        ),
        migrations.AddConstraint(
            model_name='draftentry',
            constraint=models.UniqueConstraint(fields=('draft', 'revision'), name='draft_revision_once'),
        ),
        migrations.AddConstraint(
            model_name='draftentry',
            constraint=models.UniqueConstraint(fields=('draft', 'op_id'), name='draft_operation_once'),
        ),
        migrations.AddConstraint(
            model_name='draftentry',
            constraint=models.CheckConstraint(condition=models.Q(('revision__gte', 1)), name='draft_revision_from_1'),
        ),
        migrations.AddConstraint(
            model_name='draftentry',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('operations__isnull', False), ('redoes__isnull', True), ('restores__isnull', True), ('undoes__isnull', True)), models.Q(('operations__isnull', True), ('redoes__isnull', True), ('restores__isnull', True), ('undoes__isnull', False)), models.Q(('operations__isnull', True), ('redoes__isnull', False), ('restores__isnull', True), ('undoes__isnull', True)), models.Q(('operations__isnull', True), ('redoes__isnull', True), ('restores__isnull', False), ('undoes__isnull', True)), _connector='OR'), name='draft_entry_does_or_undoes_or_redoes'),
        ),
        migrations.AddConstraint(
            model_name='drafttouch',
            constraint=models.UniqueConstraint(fields=('draft', 'page', 'revision', 'topic'), name='draft_touch_once'),
        ),
        migrations.AddConstraint(
            model_name='draftloss',
            constraint=models.UniqueConstraint(fields=('draft', 'user', 'revision', 'topic'), name='draft_loss_once'),
        ),
        migrations.AddConstraint(
            model_name='draftpresence',
            constraint=models.UniqueConstraint(fields=('draft', 'user'), name='draft_presence_once_per_person'),
        ),
        migrations.AddConstraint(
            model_name='drafttime',
            constraint=models.UniqueConstraint(fields=('draft', 'user'), name='draft_time_once_per_person'),
        ),
        migrations.AddConstraint(
            model_name='draftsnapshot',
            constraint=models.UniqueConstraint(fields=('draft', 'revision'), name='draft_snapshot_once'),
        ),
        migrations.AddConstraint(
            model_name='draftpublication',
            constraint=models.UniqueConstraint(fields=('draft', 'version'), name='draft_published_once_per_version'),
        ),
        migrations.AddConstraint(
            model_name='goldversion',
            constraint=models.UniqueConstraint(fields=('collection', 'number'), name='gold_version_number_once'),
        ),
        migrations.AddConstraint(
            model_name='goldversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='gold_version_number_from_1'),
        ),
        migrations.AddConstraint(
            model_name='guidelinesversion',
            constraint=models.UniqueConstraint(fields=('collection', 'number'), name='guidelines_number_once'),
        ),
        migrations.AddConstraint(
            model_name='guidelinesversion',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='guidelines_number_from_1'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'curator', 'adjudicator', 'submitter', 'reader'])), name='invitation_role_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('most_uses__gte', 1)), name='invitation_for_somebody'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('used__lte', models.F('most_uses'))), name='invitation_not_overused'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('sign_ups__lte', models.F('most_uses'))), name='invitation_sign_ups_not_too_many'),
        ),
        migrations.AddConstraint(
            model_name='invitationuse',
            constraint=models.UniqueConstraint(fields=('invitation', 'user'), name='invitation_accepted_once'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('collection', 'user', 'role'), name='one_row_per_role'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'curator', 'adjudicator', 'submitter', 'reader'])), name='membership_role_known'),
        ),
        migrations.AddConstraint(
            model_name='participationrequest',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('collection', 'user'), name='one_open_request_each'),
        ),
        migrations.AddConstraint(
            model_name='participationrequest',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'accepted', 'declined', 'withdrawn'])), name='request_state_known'),
        ),
        migrations.AddConstraint(
            model_name='participationrequest',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('answered_at__isnull', True), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='request_answered_at_its_end'),
        ),
        migrations.AddConstraint(
            model_name='query',
            constraint=models.UniqueConstraint(fields=('collection', 'key'), name='query_key_once_per_collection'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('query', 'key'), name='page_key_once_per_query'),
        ),
        migrations.AddConstraint(
            model_name='page',
            constraint=models.UniqueConstraint(fields=('query', 'position'), name='page_position_once_per_query'),
        ),
        migrations.AddConstraint(
            model_name='goldversionentry',
            constraint=models.UniqueConstraint(fields=('version', 'query'), name='one_gold_per_query_and_version'),
        ),
        migrations.AddConstraint(
            model_name='gold',
            constraint=models.UniqueConstraint(fields=('query', 'sha256'), name='gold_content_once_per_query'),
        ),
        migrations.AddConstraint(
            model_name='gold',
            constraint=models.CheckConstraint(condition=models.Q(('completion__in', ['strict', 'complete'])), name='gold_completion_known'),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='draft_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['shared', 'own', 'adjudication'])), name='draft_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['open', 'submitted'])), name='draft_status_known'),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('curator__isnull', False), ('kind', 'own')), models.Q(('kind', 'own'), _negated=True), _connector='OR'), name='own_draft_has_a_curator'),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('curator__isnull', True), ('kind', 'shared')), models.Q(('kind', 'shared'), _negated=True), _connector='OR'), name='shared_draft_has_no_curator'),
        ),
        migrations.AddConstraint(
            model_name='draft',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'submitted'), ('submitted_at__isnull', False)), models.Q(('status', 'open'), ('submitted_at__isnull', True)), _connector='OR'), name='draft_submitted_at_a_time'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('hides__in', ['nothing', 'some', 'all'])), name='challenge_hides_known'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('opens_at__isnull', True), ('closes_at__isnull', True), ('closes_at__gt', models.F('opens_at')), _connector='OR'), name='challenge_closes_after_it_opens'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('query', 'curator'), name='query_assigned_once_per_curator'),
        ),
        migrations.AddConstraint(
            model_name='stream',
            constraint=models.UniqueConstraint(fields=('collection', 'key'), name='stream_key_once_per_collection'),
        ),
        migrations.AddConstraint(
            model_name='stream',
            constraint=models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='stream_has_a_key'),
        ),
        migrations.AddConstraint(
            model_name='stream',
            constraint=models.CheckConstraint(condition=models.Q(('n_dimensions__gte', 1), ('n_points__gte', 1)), name='stream_has_points_and_dimensions'),
        ),
        migrations.AddConstraint(
            model_name='stream',
            constraint=models.CheckConstraint(condition=models.Q(('last_time__gte', models.F('first_time'))), name='stream_time_goes_forward'),
        ),
        migrations.AddConstraint(
            model_name='vectorset',
            constraint=models.CheckConstraint(condition=models.Q(('origin__in', ['uploaded', 'text'])), name='vectors_origin_known'),
        ),
        migrations.AddConstraint(
            model_name='vectorset',
            constraint=models.CheckConstraint(condition=models.Q(('n_dimensions__gte', 1)), name='vectors_have_dimensions'),
        ),
        migrations.CreateModel(
            name='CommentThread',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.CharField(choices=[('page', 'Page'), ('topic', 'Topic'), ('draft', 'Draft')], max_length=5)),
                ('key', models.CharField(blank=True, max_length=200)),
                ('title', models.CharField(blank=True, max_length=300)),
                ('to_lead', models.BooleanField(default=False)),
                ('changed', models.PositiveIntegerField()),
                ('spoken', models.PositiveIntegerField()),
                ('spoken_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('resolved_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='threads', to='annotations.draft')),
                ('resolved_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('draft_id', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='Comment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('op_id', models.UUIDField()),
                ('text', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('edited_at', models.DateTimeField(null=True)),
                ('deleted_at', models.DateTimeField(null=True)),
                ('named', models.ManyToManyField(related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comments', to='annotations.commentthread')),
            ],
            options={
                'ordering': ('thread_id', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='GuidelinesReader',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guidelines_readers', to='annotations.collection')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('collection', 'user'),
            },
        ),
        migrations.CreateModel(
            name='ThreadReader',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('concerned', models.BooleanField(default=False)),
                ('read', models.PositiveIntegerField(default=0)),
                ('thread', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readers', to='annotations.commentthread')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('thread_id', 'user_id'),
            },
        ),
        migrations.AddIndex(
            model_name='commentthread',
            index=models.Index(fields=['draft', 'changed'], name='thread_changed'),
        ),
        migrations.AddConstraint(
            model_name='commentthread',
            constraint=models.CheckConstraint(condition=models.Q(('about__in', ['page', 'topic', 'draft'])), name='thread_about_known'),
        ),
        migrations.AddConstraint(
            model_name='commentthread',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('about', 'draft'), ('key', '')), models.Q(models.Q(('about', 'draft'), _negated=True), models.Q(('key', ''), _negated=True)), _connector='OR'), name='thread_about_something'),
        ),
        migrations.AddConstraint(
            model_name='commentthread',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolved_at__isnull', True), ('resolved_by__isnull', True)), models.Q(('resolved_at__isnull', False), ('resolved_by__isnull', False)), _connector='OR'), name='thread_resolved_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='comment',
            constraint=models.UniqueConstraint(fields=('user', 'op_id'), name='comment_once'),
        ),
        migrations.AddConstraint(
            model_name='comment',
            constraint=models.CheckConstraint(condition=models.Q(('deleted_at__isnull', True), ('text', ''), _connector='OR'), name='deleted_comment_says_nothing'),
        ),
        migrations.AddConstraint(
            model_name='guidelinesreader',
            constraint=models.UniqueConstraint(fields=('collection', 'user'), name='guidelines_reader_once'),
        ),
        migrations.AddConstraint(
            model_name='threadreader',
            constraint=models.UniqueConstraint(fields=('thread', 'user'), name='thread_reader_once'),
        ),
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('why', models.CharField(max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='OthersSeen',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('draft', 'Draft'), ('agreement', 'Agreement'), ('adjudication', 'Adjudication'), ('gold', 'Gold')], max_length=12)),
                ('seen_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotations.draft')),
                ('query', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotations.query')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'others seen',
                'ordering': ('query', 'user'),
                'constraints': [models.UniqueConstraint(fields=('query', 'user'), name='others_seen_once'), models.CheckConstraint(condition=models.Q(('what__in', ['draft', 'agreement', 'adjudication', 'gold'])), name='others_seen_what_known')],
            },
        ),
        migrations.AddIndex(
            model_name='collection',
            index=models.Index(fields=['name', 'id'], name='collection_by_name'),
        ),
        migrations.AddIndex(
            model_name='query',
            index=models.Index(fields=['collection', 'position', 'id'], name='query_in_order'),
        ),
        migrations.AddIndex(
            model_name='stream',
            index=models.Index(fields=['collection', 'position', 'id'], name='stream_in_order'),
        ),
        migrations.CreateModel(
            name='Quota',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('bytes', models.PositiveBigIntegerField(blank=True, null=True)),
                ('rows', models.PositiveBigIntegerField(blank=True, null=True)),
                ('collection', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='quota', to='annotations.collection')),
                ('person', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='quota', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('pk',),
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('collection__isnull', True), ('person__isnull', False)), models.Q(('collection__isnull', False), ('person__isnull', True)), _connector='OR'), name='quota_of_a_person_or_a_collection')],
            },
        ),
        forbid_updates(
            "annotations_adjudication",
            "annotations_adjudicationdecision",
            "annotations_adjudicationstep",
            "annotations_challengeresults",
            "annotations_compareddraft",
            "annotations_draftentry",
            "annotations_draftpublication",
            "annotations_draftsnapshot",
            "annotations_drafttouch",
            "annotations_gold",
            "annotations_goldfile",
            "annotations_goldversion",
            "annotations_goldversionentry",
            "annotations_guidelinesversion",
            "annotations_othersseen",
            "annotations_page",
            "annotations_stream",
            "annotations_streamfile",
            "annotations_vectorfile",
            "annotations_vectorset",
        ),
        forbid_changes("annotations_query", "collection_id", "key", "text", "position", "extra"),
        forbid_removals(
            "annotations_adjudication",
            "annotations_adjudicationdecision",
            "annotations_adjudicationstep",
            "annotations_challengeresults",
            "annotations_compareddraft",
            "annotations_draftentry",
            "annotations_draftpublication",
            "annotations_draftsnapshot",
            "annotations_drafttouch",
            "annotations_gold",
            "annotations_goldfile",
            "annotations_goldversion",
            "annotations_goldversionentry",
            "annotations_guidelinesversion",
            "annotations_page",
            "annotations_query",
            "annotations_stream",
            "annotations_streamfile",
            "annotations_vectorfile",
            "annotations_vectorset",
        ),
    ]
