using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace Acorn.Observability;

public static class LoggingSetup
{
    public static readonly ActivitySource Source = new("Acorn.Quotes");

    public static IServiceCollection AddAcornTelemetry(this IServiceCollection services, string version)
    {
        var resource = ResourceBuilder.CreateDefault().AddService("quotes", serviceVersion: version);
        services.AddOpenTelemetry()
            .WithTracing(t => t.SetResourceBuilder(resource)
                .AddAspNetCoreInstrumentation()
                .AddSource(Source.Name)
                .SetSampler(new TraceIdRatioBasedSampler(0.05))
                .AddOtlpExporter())
            .WithMetrics(m => m.SetResourceBuilder(resource)
                .AddRuntimeInstrumentation()
                .AddMeter("Acorn.Quotes")
                .AddPrometheusExporter());
        services.AddLogging(l => l.AddJsonConsole(o => o.IncludeScopes = true));
        return services;
    }
}
