class DropFaxNumbers < ActiveRecord::Migration[7.1]
  def up
    safety_assured do
      remove_column :practices, :fax
      drop_table :fax_queue
    end
  end

  def down
    add_column :practices, :fax, :string, limit: 20
    create_table :fax_queue do |t|
      t.references :practice, null: false, foreign_key: true
      t.text :payload
      t.timestamps
    end
  end
end
