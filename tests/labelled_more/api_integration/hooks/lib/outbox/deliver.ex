defmodule Outbox.Deliver do
  use Oban.Worker, queue: :hooks, max_attempts: 12

  alias Outbox.{Endpoint, Sign}

  @impl true
  def perform(%Oban.Job{args: %{"endpoint" => id, "event" => event}, attempt: n}) do
    ep = Endpoint.get!(id)
    body = Jason.encode!(event)

    headers = [
      {"content-type", "application/json"},
      {"x-event-id", event["id"]},
      {"x-attempt", to_string(n)},
      {"x-signature", Sign.header(body, ep.secret)}
    ]

    case Req.post(ep.url, body: body, headers: headers, retry: false, receive_timeout: 8_000) do
      {:ok, %{status: s}} when s in 200..299 -> :ok
      {:ok, %{status: 410}} -> Endpoint.disable(ep, :gone)
      {:ok, %{status: s}} -> {:error, "status #{s}"}
      {:error, e} -> {:error, Exception.message(e)}
    end
  end

  @impl true
  def backoff(%{attempt: n}), do: trunc(:math.pow(n, 4)) + 15 + :rand.uniform(30) * n
end
