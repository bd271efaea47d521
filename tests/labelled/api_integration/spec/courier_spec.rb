require "spec_helper"

RSpec.describe Courier::Client, vcr: true do
  subject(:client) { described_class.new(base: "https://api.courier.example/v2", key: "test") }

  describe "#book" do
    let(:pickup) { { address: "Testgatan 1", slot: "2030-01-01T10:00:00Z", parcels: 2 } }

    it "returns the number of the pickup" do
      VCR.use_cassette("book_pickup") do
        expect(client.book(pickup)).to eq("pk_test_000001")
      end
    end

    it "gives up after four attempts" do
      stub = stub_request(:post, /pickups/).to_return(status: 502)
      expect { client.book(pickup) }.to raise_error(Courier::Down)
      expect(stub).to have_been_requested.times(4)
    end
  end
end
