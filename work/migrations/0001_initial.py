from django.db import migrations, models


class Migration(migrations.Migration):
    """Who is there to work."""

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
    ]
