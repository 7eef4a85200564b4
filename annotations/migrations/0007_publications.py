import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

from annotations.append_only import forbid_updates


class Migration(migrations.Migration):

    dependencies = [
        ('annotations', '0006_drafts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='DraftPublication',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveIntegerField()),
                ('published_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotations.draft')),
                ('gold', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotations.gold')),
                ('published_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('version', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='publications', to='annotations.goldversion')),
            ],
            options={
                'ordering': ('draft', '-pk'),
                'constraints': [models.UniqueConstraint(fields=('draft', 'version'), name='draft_published_once_per_version')],
            },
        ),
        forbid_updates("annotations_draftpublication"),
    ]
