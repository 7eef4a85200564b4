import common.confusables
import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from common.append_only import forbid_updates


class Migration(migrations.Migration):
    """People's accounts and the tokens of their programs."""

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('look', common.confusables.LookField(default='', editable=False, max_length=64, of='username', separators=" .,;:!'_-@+")),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='e-mail address')),
                ('email_confirmed_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('endings', models.PositiveIntegerField(default=0, editable=False)),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('suspended_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('suspended_for', models.CharField(blank=True, editable=False, max_length=500)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'permissions': [('administer', 'Can use the administration')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('prefix', models.CharField(max_length=12)),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('scopes', models.CharField(max_length=40)),
                ('expires_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
                'constraints': [models.CheckConstraint(condition=models.Q(('scopes__in', ('read', 'read submit', 'read curate', 'read manage', 'read submit curate', 'read submit manage', 'read curate manage', 'read submit curate manage'))), name='token_scopes_known')],
            },
        ),
        migrations.CreateModel(
            name='MutedNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='muted_notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('user', 'kind'),
            },
        ),
        migrations.CreateModel(
            name='RetiredName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name='SignUpLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('note', models.CharField(blank=True, max_length=200)),
                ('prefix', models.CharField(max_length=12)),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('most_uses', models.PositiveIntegerField(default=1)),
                ('used', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ('-pk',),
                'constraints': [models.CheckConstraint(condition=models.Q(('most_uses__gte', 1)), name='sign_up_link_for_somebody'), models.CheckConstraint(condition=models.Q(('used__lte', models.F('most_uses'))), name='sign_up_not_overused')],
            },
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True)),
                ('kind', models.CharField(max_length=24)),
                ('actor', models.BigIntegerField(blank=True, null=True)),
                ('actor_name', models.CharField(blank=True, max_length=150)),
                ('address', models.CharField(blank=True, max_length=39)),
                ('account', models.BigIntegerField(blank=True, null=True)),
                ('account_name', models.CharField(blank=True, max_length=150)),
                ('collection', models.BigIntegerField(blank=True, null=True)),
                ('about', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'verbose_name_plural': 'audit log',
                'ordering': ('-pk',),
                'indexes': [models.Index(fields=['actor', '-id'], name='audit_actor'), models.Index(fields=['account', '-id'], name='audit_account'), models.Index(fields=['collection', '-id'], name='audit_collection')],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=40)),
                ('since', models.DateTimeField()),
                ('number', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='tally_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='user_name_once', violation_error_message='There is an account of this name.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(condition=models.Q(('look', ''), _negated=True), fields=('look',), name='user_look_once', violation_error_message='There is an account whose name looks like this one.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='email_address_once', violation_error_message='There is an account with this e-mail address already.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('suspended_at', None), ('is_active', False), _connector='OR'), name='suspended_is_not_active'),
        ),
        migrations.AddConstraint(
            model_name='mutednotice',
            constraint=models.UniqueConstraint(fields=('user', 'kind'), name='notice_muted_once'),
        ),
        migrations.AddConstraint(
            model_name='mutednotice',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('invitations', 'requests', 'answers', 'failed-runs', 'gold-versions', 'comments', 'questions', 'comments-here'))), name='muted_notice_known'),
        ),
        migrations.CreateModel(
            name='RecoveryCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recovery_codes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SecondFactor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sealed', models.CharField(max_length=200)),
                ('last_step', models.BigIntegerField(default=0)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_factor', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Identity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('issuer', models.CharField(max_length=255)),
                ('subject', models.CharField(max_length=255)),
                ('since', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('last_used_at', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='identities', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('issuer', 'subject'), name='identity_of_one_account'), models.UniqueConstraint(fields=('user', 'issuer'), name='identity_once_per_issuer')],
            },
        ),
        forbid_updates('accounts_auditentry'),
    ]
