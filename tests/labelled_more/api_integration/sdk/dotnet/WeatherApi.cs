using System.Net;
using System.Net.Http.Json;
using Polly;

namespace Orchard.Weather;

public record Hour(DateTimeOffset At, double TempC, double RainMm);

public sealed class WeatherApi(HttpClient http, ILogger<WeatherApi> log)
{
    private static readonly IAsyncPolicy<HttpResponseMessage> Retry = Policy
        .HandleResult<HttpResponseMessage>(r => r.StatusCode is HttpStatusCode.TooManyRequests or >= HttpStatusCode.InternalServerError)
        .WaitAndRetryAsync(3, n => TimeSpan.FromSeconds(Math.Pow(2, n)));

    public async Task<IReadOnlyList<Hour>> ForecastAsync(double lat, double lon, CancellationToken ct)
    {
        var res = await Retry.ExecuteAsync(c => http.GetAsync($"forecast?lat={lat:F3}&lon={lon:F3}&units=metric", c), ct);
        if (!res.IsSuccessStatusCode)
        {
            log.LogWarning("forecast {Status}", (int)res.StatusCode);
            return [];
        }
        return await res.Content.ReadFromJsonAsync<List<Hour>>(ct) ?? [];
    }
}
