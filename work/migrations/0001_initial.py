import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    """Who is there to work, and what was worked out."""

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, unique=True)),
                ('queues', models.CharField(max_length=200)),
                ('slots', models.PositiveIntegerField(default=1)),
                ('seen_at', models.DateTimeField()),
            ],
            options={
                'ordering': ('name',),
            },
        ),
        migrations.CreateModel(
            name='StoredAnswer',
            fields=[
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=9)),
                ('token', models.PositiveIntegerField(default=0)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('worker', models.CharField(blank=True, max_length=120)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=40)),
                ('asked', models.JSONField()),
                ('scope', models.CharField(max_length=40)),
                ('sources', models.TextField(blank=True)),
                ('waited_for', models.BooleanField(default=True)),
                ('size', models.PositiveIntegerField(default=0)),
                ('error', models.JSONField(blank=True, null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('made_at', models.DateTimeField(blank=True, null=True)),
                ('used_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(fields=['state', 'waited_for', 'created_at'], name='answer_to_work_out'), models.Index(fields=['scope'], name='answer_by_scope'), models.Index(fields=['used_at'], name='answer_by_use')],
            },
        ),
        migrations.CreateModel(
            name='AnswerPart',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('field', models.CharField(blank=True, max_length=40)),
                ('number', models.PositiveIntegerField(default=0)),
                ('packed', models.BinaryField()),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='work.storedanswer')),
            ],
            options={
                'ordering': ('answer', 'field', 'number'),
                'constraints': [models.UniqueConstraint(fields=('answer', 'field', 'number'), name='answer_part_once')],
            },
        ),
    ]
