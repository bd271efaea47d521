class StaleLabelSweeperJob < ApplicationJob
  queue_as :maintenance

  retry_on ActiveRecord::Deadlocked, wait: 5.seconds, attempts: 3
  discard_on ActiveJob::DeserializationError

  BATCH = 500

  def perform(older_than: 30.days)
    swept = 0
    Label.unprinted.where(created_at: ...older_than.ago).in_batches(of: BATCH) do |batch|
      swept += batch.delete_all
      sleep 0.1
    end
    Rails.logger.info("swept #{swept} labels")
    self.class.set(wait: 1.day).perform_later
  end
end
