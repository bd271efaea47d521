class Shipment < ApplicationRecord
  belongs_to :sender, class_name: "Account"
  belongs_to :depot, optional: true
  has_many :scans, -> { order(:scanned_at) }, dependent: :destroy
  has_one :label, touch: true

  enum :status, { announced: 0, in_transit: 1, delivered: 2, returned: 3 }

  validates :tracking_code, presence: true, uniqueness: true, length: { is: 14 }
  validates :weight_grams, numericality: { greater_than: 0, less_than: 31_500 }

  scope :late, -> { in_transit.where(promised_on: ...Date.current) }
  scope :for_depot, ->(depot) { where(depot: depot) }

  before_validation :assign_tracking_code, on: :create

  def last_scan
    scans.last
  end

  private

  def assign_tracking_code
    self.tracking_code ||= SecureRandom.alphanumeric(14).upcase
  end
end
