namespace Fleet.Charging;

public sealed record Slot(DateTimeOffset Start, decimal PricePerKwh, bool GridLimited);

public sealed class WindowPlanner
{
    private const int MinimumReserve = 20;
    private const decimal NightCap = 0.31m;

    // A bus that leaves before six must be full; the others may stop at 80.
    public static int TargetFor(Bus bus) =>
        bus.NextDeparture.Hour < 6 ? 100 : bus.IsSpare ? 60 : 80;

    public IReadOnlyList<Slot> Choose(Bus bus, IEnumerable<Slot> offered)
    {
        var need = (TargetFor(bus) - bus.ChargePercent) / 100m * bus.CapacityKwh;
        if (need <= 0) return [];

        var usable = offered
            .Where(s => s.Start < bus.NextDeparture.AddMinutes(-20))
            .Where(s => !s.GridLimited || bus.ChargePercent < MinimumReserve)
            .OrderBy(s => s.PricePerKwh > NightCap)
            .ThenBy(s => s.PricePerKwh);

        var chosen = new List<Slot>();
        foreach (var slot in usable)
        {
            chosen.Add(slot);
            need -= bus.MaxKw / 4m;
            if (need <= 0) break;
        }
        return chosen;
    }
}
