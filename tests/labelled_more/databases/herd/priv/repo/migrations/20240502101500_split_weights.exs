defmodule Herd.Repo.Migrations.SplitWeights do
  use Ecto.Migration

  def up do
    create table(:weights) do
      add :animal_id, references(:animals, on_delete: :delete_all), null: false
      add :kg, :decimal, precision: 6, scale: 1, null: false
      add :taken_on, :date, null: false
      timestamps()
    end

    create unique_index(:weights, [:animal_id, :taken_on])

    execute """
    INSERT INTO weights (animal_id, kg, taken_on, inserted_at, updated_at)
    SELECT id, last_kg, last_weighed, now(), now() FROM animals WHERE last_kg IS NOT NULL
    """

    alter table(:animals) do
      remove :last_kg
      remove :last_weighed
    end
  end

  def down, do: raise(Ecto.MigrationError, "weights cannot be folded back")
end
