import common.confusables
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
from django.conf import settings
from django.db import migrations, models

from common.append_only import forbid_changes, forbid_removals, forbid_updates


class Migration(migrations.Migration):
    """Algorithms, submissions, runs and scores; what happened to a run stays written."""

    initial = True

    dependencies = [
        ('annotations', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Clustering',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('n_clusters', models.PositiveIntegerField()),
                ('n_memberships', models.PositiveIntegerField()),
                ('n_pages_covered', models.PositiveIntegerField()),
                ('query', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clusterings', to='annotations.query')),
            ],
            options={
                'ordering': ('submission', 'query'),
            },
        ),
        migrations.CreateModel(
            name='StreamSubmission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('published', models.BooleanField(default=False)),
                ('origin', models.CharField(choices=[('browser', 'Browser'), ('api', 'Api'), ('command', 'Command'), ('baseline', 'Baseline')], max_length=8)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('sha256', models.CharField(max_length=64)),
                ('filename', models.CharField(blank=True, max_length=255)),
                ('n_snapshots', models.PositiveIntegerField()),
                ('n_clusters', models.PositiveIntegerField()),
            ],
            options={
                'ordering': ('stream', '-pk'),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('published', models.BooleanField(default=False)),
                ('origin', models.CharField(choices=[('browser', 'Browser'), ('api', 'Api'), ('command', 'Command'), ('baseline', 'Baseline')], max_length=8)),
                ('parameters', models.JSONField(blank=True, default=dict)),
                ('sha256', models.CharField(max_length=64)),
                ('seed', models.BigIntegerField(blank=True, null=True)),
                ('repeat', models.CharField(blank=True, default='', max_length=40)),
            ],
            options={
                'ordering': ('collection', '-pk'),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Algorithm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('look', common.confusables.LookField(db_index=True, default='', editable=False, max_length=64, of='name')),
                ('description', models.TextField(blank=True)),
                ('baseline', models.CharField(blank=True, max_length=40)),
                ('settings', models.CharField(blank=True, default='', max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('authors', models.CharField(blank=True, default='', max_length=500)),
                ('code_url', models.CharField(blank=True, default='', max_length=500)),
                ('paper_url', models.CharField(blank=True, default='', max_length=500)),
                ('bibtex', models.TextField(blank=True, default='')),
                ('model', models.CharField(blank=True, default='', max_length=200)),
                ('model_size', models.CharField(blank=True, default='', max_length=200)),
                ('hardware', models.CharField(blank=True, default='', max_length=200)),
                ('seconds_per_query', models.FloatField(blank=True, null=True)),
                ('cost_per_1000', models.FloatField(blank=True, null=True)),
                ('counts', models.CharField(choices=[('latest', 'Latest'), ('best', 'Best'), ('pinned', 'Pinned')], default='latest', max_length=6)),
                ('counts_by', models.CharField(blank=True, default='', max_length=40)),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='algorithms', to='annotations.collection')),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('collection', 'name'),
            },
        ),
        migrations.CreateModel(
            name='ClusteringFile',
            fields=[
                ('packed', models.BinaryField()),
                ('clustering', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file', serialize=False, to='evaluation.clustering')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Evaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('clustering_sha256', models.CharField(max_length=64)),
                ('gold_sha256', models.CharField(max_length=64)),
                ('policies', models.JSONField()),
                ('policies_sha256', models.CharField(max_length=64)),
                ('vectors_sha256', models.CharField(blank=True, default='', max_length=64)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('clustering_sha256', 'gold_sha256', 'policies_sha256', 'vectors_sha256'), name='one_evaluation_per_content')],
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('kind', models.CharField(choices=[('evaluation', 'Evaluation'), ('import', 'Import'), ('baselines', 'Baselines'), ('vectors', 'Vectors'), ('sweep', 'Sweep'), ('stream', 'Stream'), ('stream-baselines', 'Stream Baselines'), ('announcement', 'Announcement')], max_length=20)),
                ('queue', models.CharField(default='interactive', max_length=11)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('measures', models.JSONField(blank=True, default=dict)),
                ('policies', models.JSONField(blank=True, default=dict)),
                ('engine', models.CharField(blank=True, max_length=20)),
                ('deepest', models.PositiveIntegerField(default=1)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=9)),
                ('token', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('gave_way', models.PositiveIntegerField(default=0)),
                ('worker', models.CharField(blank=True, max_length=120)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('step', models.CharField(blank=True, max_length=200)),
                ('error', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('collection', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotations.collection')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gold_version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotations.goldversion')),
                ('rerun_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reruns', to='evaluation.run')),
                ('stream', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotations.stream')),
            ],
            options={
                'ordering': ('-pk',),
            },
        ),
        migrations.CreateModel(
            name='RunEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('actor', models.CharField(max_length=150)),
                ('from_state', models.CharField(blank=True, max_length=9)),
                ('to_state', models.CharField(blank=True, max_length=9)),
                ('why', models.TextField()),
                ('attempt', models.PositiveIntegerField(default=0)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='events', to='evaluation.run')),
            ],
            options={
                'ordering': ('run', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='StreamSubmissionFile',
            fields=[
                ('packed', models.BinaryField()),
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='file', serialize=False, to='evaluation.streamsubmission')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.AddField(
            model_name='streamsubmission',
            name='algorithm',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='evaluation.algorithm'),
        ),
        migrations.AddField(
            model_name='streamsubmission',
            name='created_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='streamsubmission',
            name='stream',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='annotations.stream'),
        ),
        migrations.CreateModel(
            name='StreamResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('settings', models.JSONField()),
                ('settings_sha256', models.CharField(max_length=64)),
                ('engine', models.CharField(max_length=20)),
                ('medians', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('submission', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='evaluation.streamsubmission')),
            ],
            options={
                'ordering': ('submission', '-pk'),
            },
        ),
        migrations.AddField(
            model_name='run',
            name='stream_submission',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='evaluation.streamsubmission'),
        ),
        migrations.CreateModel(
            name='SubmissionReport',
            fields=[
                ('submission', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='report', serialize=False, to='evaluation.submission')),
                ('content', models.JSONField()),
            ],
        ),
        migrations.AddField(
            model_name='submission',
            name='algorithm',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='%(class)ss', to='evaluation.algorithm'),
        ),
        migrations.AddField(
            model_name='submission',
            name='collection',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='annotations.collection'),
        ),
        migrations.AddField(
            model_name='submission',
            name='created_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='submission',
            name='sweep',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sweep_submissions', to='evaluation.run'),
        ),
        migrations.AddField(
            model_name='run',
            name='submission',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='evaluation.submission'),
        ),
        migrations.CreateModel(
            name='Announced',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('gold_version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='announced', to='annotations.goldversion')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('gold_version', 'pk'),
                'constraints': [models.UniqueConstraint(fields=('gold_version', 'user'), name='announced_once')],
            },
        ),
        migrations.CreateModel(
            name='CountedSubmission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('of_day', models.PositiveIntegerField()),
                ('of_all', models.PositiveIntegerField()),
                ('challenge', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='counted', to='annotations.challenge')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('submission', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='counted', to='evaluation.submission')),
            ],
            options={
                'ordering': ('challenge', 'pk'),
            },
        ),
        migrations.AddField(
            model_name='clustering',
            name='submission',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='clusterings', to='evaluation.submission'),
        ),
        migrations.AddField(
            model_name='algorithm',
            name='pinned',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='evaluation.submission'),
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stored_bytes', models.PositiveBigIntegerField(default=0)),
                ('stored_rows', models.PositiveIntegerField(default=0)),
                ('sha256', models.CharField(max_length=64)),
                ('name', models.CharField(max_length=255)),
                ('size', models.PositiveBigIntegerField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('uploaded_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-pk',),
            },
        ),
        migrations.AddField(
            model_name='submission',
            name='upload',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='submissions', to='evaluation.upload'),
        ),
        migrations.AddField(
            model_name='run',
            name='upload',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='evaluation.upload'),
        ),
        migrations.CreateModel(
            name='FormerName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('look', common.confusables.LookField(db_index=True, default='', editable=False, max_length=64, of='name')),
                ('former_id', models.BigIntegerField(blank=True, db_index=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('algorithm', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to='evaluation.algorithm')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to='annotations.collection')),
            ],
            options={
                'ordering': ('algorithm', '-pk'),
                'constraints': [models.UniqueConstraint(models.F('collection'), django.db.models.functions.text.Lower('name'), name='former_name_once_per_collection')],
            },
        ),
        migrations.CreateModel(
            name='RunColumn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('measure', models.CharField(max_length=40)),
                ('level', models.CharField(blank=True, max_length=6)),
                ('depth', models.PositiveIntegerField(default=0)),
                ('packed', models.BinaryField()),
                ('gaps', models.JSONField(blank=True, default=list)),
                ('flattened', models.JSONField(blank=True, default=list)),
                ('cuts', models.JSONField(blank=True, null=True)),
                ('engines', models.JSONField(default=list)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='columns', to='evaluation.run')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'measure', 'level', 'depth'), name='one_column_per_run')],
            },
        ),
        migrations.CreateModel(
            name='RunQuery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('evaluation', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='run_queries', to='evaluation.evaluation')),
                ('query', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='run_queries', to='annotations.query')),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='queries', to='evaluation.run')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'query', 'evaluation'), name='evaluation_once_per_run_and_query')],
            },
        ),
        migrations.CreateModel(
            name='Score',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('measure', models.CharField(max_length=40)),
                ('measure_version', models.PositiveIntegerField()),
                ('level', models.CharField(blank=True, max_length=6)),
                ('depth', models.PositiveIntegerField(default=0)),
                ('deepest', models.PositiveIntegerField(default=0)),
                ('value', models.FloatField(null=True)),
                ('undefined', models.TextField(blank=True)),
                ('flattened', models.BooleanField(default=False)),
                ('engine', models.CharField(max_length=20)),
                ('evaluation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='evaluation.evaluation')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('evaluation', 'measure', 'measure_version', 'level', 'depth'), name='one_score_per_cell'), models.CheckConstraint(condition=models.Q(models.Q(('undefined', ''), ('value__isnull', False)), models.Q(('value__isnull', True), models.Q(('undefined', ''), _negated=True)), _connector='OR'), name='score_is_a_value_or_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='StreamMoment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('time', models.FloatField()),
                ('points', models.PositiveIntegerField()),
                ('values', models.JSONField(blank=True, default=dict)),
                ('undefined', models.TextField(blank=True)),
                ('reasons', models.JSONField(blank=True, default=dict)),
                ('result', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moments', to='evaluation.streamresult')),
            ],
            options={
                'ordering': ('result', 'number'),
                'constraints': [models.UniqueConstraint(fields=('result', 'number'), name='one_moment_per_snapshot')],
            },
        ),
        migrations.AddConstraint(
            model_name='streamsubmission',
            constraint=models.CheckConstraint(condition=models.Q(('origin__in', ['browser', 'api', 'command', 'baseline'])), name='streamsubmission_origin_known'),
        ),
        migrations.AddConstraint(
            model_name='streamsubmission',
            constraint=models.CheckConstraint(condition=models.Q(('n_snapshots__gte', 1)), name='stream_submission_has_snapshots'),
        ),
        migrations.AddConstraint(
            model_name='streamresult',
            constraint=models.UniqueConstraint(fields=('submission', 'settings_sha256', 'engine'), name='one_stream_result_per_settings_and_engine'),
        ),
        migrations.AddConstraint(
            model_name='countedsubmission',
            constraint=models.UniqueConstraint(fields=('challenge', 'user', 'day', 'of_day'), name='counted_once_of_day'),
        ),
        migrations.AddConstraint(
            model_name='countedsubmission',
            constraint=models.UniqueConstraint(fields=('challenge', 'user', 'of_all'), name='counted_once_of_all'),
        ),
        migrations.AddConstraint(
            model_name='clustering',
            constraint=models.UniqueConstraint(fields=('submission', 'query'), name='one_clustering_per_query'),
        ),
        migrations.AddConstraint(
            model_name='algorithm',
            constraint=models.UniqueConstraint(models.F('collection'), django.db.models.functions.text.Lower('name'), name='algorithm_name_once_per_collection'),
        ),
        migrations.AddConstraint(
            model_name='algorithm',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='algorithm_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='algorithm',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('counts__in', ['latest', 'pinned']), ('counts_by', '')), models.Q(('counts', 'best'), models.Q(('counts_by', ''), _negated=True)), _connector='OR'), name='algorithm_counts_by_a_rule'),
        ),
        migrations.AddConstraint(
            model_name='submission',
            constraint=models.CheckConstraint(condition=models.Q(('origin__in', ['browser', 'api', 'command', 'baseline'])), name='submission_origin_known'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['state', 'lease_until'], name='run_by_state_and_lease'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['collection', 'state', 'kind'], name='run_by_collection'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['state', 'queue', 'created_by'], name='run_by_queue'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['created_by', 'queue', 'started_at'], name='run_by_turn'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'done', 'failed', 'cancelled'])), name='run_state_known'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'running')), models.Q(models.Q(('state', 'running'), _negated=True), ('lease_until__isnull', True)), _connector='OR'), name='run_has_a_lease_while_it_runs'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('finished_at__isnull', False), ('state__in', ['done', 'failed', 'cancelled'])), models.Q(('finished_at__isnull', True), ('state__in', ['queued', 'running'])), _connector='OR'), name='run_has_an_end_once_ended'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('error__isnull', False), ('state', 'failed')), models.Q(models.Q(('state', 'failed'), _negated=True), ('error__isnull', True)), _connector='OR'), name='run_says_why_it_failed'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'evaluation'), _negated=True), models.Q(('gold_version__isnull', False), ('submission__isnull', False)), _connector='OR'), name='evaluation_has_submission_and_gold'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'stream'), _negated=True), models.Q(('stream__isnull', False), ('stream_submission__isnull', False)), _connector='OR'), name='stream_run_has_stream_and_submission'),
        ),
        migrations.AddIndex(
            model_name='algorithm',
            index=models.Index(fields=['collection', 'name', 'id'], name='algorithm_by_name'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['gold_version', 'state', 'kind', 'submission'], name='run_of_version'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['collection', '-id'], name='run_latest_of_collection'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['created_by', '-id'], name='run_latest_of_person'),
        ),
        migrations.AddIndex(
            model_name='streamsubmission',
            index=models.Index(fields=['stream', '-id'], name='stream_submission_latest'),
        ),
        migrations.AddIndex(
            model_name='streamsubmission',
            index=models.Index(fields=['created_by', '-created_at', '-id'], name='stream_submission_of_person'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['collection', '-id'], name='submission_latest'),
        ),
        migrations.AddIndex(
            model_name='submission',
            index=models.Index(fields=['created_by', '-created_at', '-id'], name='submission_latest_of_person'),
        ),
        forbid_updates(
            "evaluation_clustering",
            "evaluation_clusteringfile",
            "evaluation_runcolumn",
            "evaluation_runevent",
            "evaluation_runquery",
            "evaluation_score",
            "evaluation_streammoment",
            "evaluation_streamsubmissionfile",
            "evaluation_submissionreport",
        ),
        forbid_changes(
            "evaluation_submission",
            *("collection_id", "origin", "created_by_id", "created_at", "parameters", "seed", "repeat", "sweep_id"),
            once=("sha256",),
        ),
        forbid_changes(
            "evaluation_streamsubmission",
            *("stream_id", "origin", "created_by_id", "created_at", "parameters", "sha256", "filename"),
            *("n_snapshots", "n_clusters"),
        ),
        forbid_changes(
            "evaluation_streamresult", "submission_id", "settings", "settings_sha256", "engine", once=("medians",)
        ),
        forbid_changes(
            "evaluation_evaluation",
            *("clustering_sha256", "gold_sha256", "policies", "policies_sha256", "vectors_sha256"),
        ),
        forbid_changes("evaluation_upload", "sha256", "name", "size", "uploaded_by_id"),
        forbid_changes("evaluation_countedsubmission", "challenge_id", "user_id", "day", "of_day", "of_all"),
        forbid_changes(
            "evaluation_run",
            *("kind", "state", "submission_id", "gold_version_id", "stream_id", "stream_submission_id"),
            *("policies", "measures", "engine", "deepest"),
            after="OLD.state = 'done'",
        ),
        forbid_removals(
            "evaluation_clustering",
            "evaluation_clusteringfile",
            "evaluation_countedsubmission",
            "evaluation_evaluation",
            "evaluation_runcolumn",
            "evaluation_runevent",
            "evaluation_runquery",
            "evaluation_score",
            "evaluation_streammoment",
            "evaluation_streamresult",
            "evaluation_streamsubmission",
            "evaluation_streamsubmissionfile",
            "evaluation_submission",
            "evaluation_submissionreport",
            "evaluation_upload",
        ),
    ]
