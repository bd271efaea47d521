using Fleet.Charging;
using Fleet.Data;
using Microsoft.EntityFrameworkCore;

var builder = WebApplication.CreateBuilder(args);

builder.Services.AddDbContext<FleetDb>(o => o.UseNpgsql(builder.Configuration.GetConnectionString("fleet")));
builder.Services.AddHostedService<PlanRefresher>();
builder.Services.AddSingleton<ITariffSource, DayAheadTariffs>();
builder.Services.AddScoped<WindowPlanner>();
builder.Services.AddControllers();
builder.Services.AddHealthChecks().AddDbContextCheck<FleetDb>();
builder.Services.AddAuthentication().AddJwtBearer();
builder.Services.AddAuthorization();

var app = builder.Build();

if (app.Environment.IsDevelopment())
{
    app.UseDeveloperExceptionPage();
}

app.UseAuthentication();
app.UseAuthorization();
app.MapControllers();
app.MapHealthChecks("/healthz");

app.Run();
