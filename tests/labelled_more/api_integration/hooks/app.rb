require "sinatra/base"
require "openssl"
require "json"

class Hooks < Sinatra::Base
  SECRET = ENV.fetch("HOOK_SECRET")

  before do
    @raw = request.body.read
    sent = request.env["HTTP_X_SIGNATURE"].to_s.delete_prefix("sha256=")
    mine = OpenSSL::HMAC.hexdigest("SHA256", SECRET, @raw)
    halt 401 unless Rack::Utils.secure_compare(mine, sent)
  end

  post "/in/:partner" do
    ev = JSON.parse(@raw)
    halt 200 if Seen.exists?(params[:partner], ev["id"])

    case ev["type"]
    when "label.printed", "label.voided" then LabelQueue.push(ev)
    when "parcel.lost" then Desk.tell(ev["data"]["parcel"])
    else logger.info("ignored #{ev["type"]}")
    end
    Seen.add(params[:partner], ev["id"])
    202
  end
end
