using Microsoft.EntityFrameworkCore;

namespace Fleet.Data;

public class FleetDb(DbContextOptions<FleetDb> options) : DbContext(options)
{
    public DbSet<Bus> Buses => Set<Bus>();
    public DbSet<Depot> Depots => Set<Depot>();
    public DbSet<ChargeRun> Runs => Set<ChargeRun>();

    protected override void OnModelCreating(ModelBuilder b)
    {
        b.HasDefaultSchema("fleet");
        b.Entity<Bus>(e =>
        {
            e.HasIndex(x => x.Plate).IsUnique();
            e.Property(x => x.CapacityKwh).HasPrecision(7, 2);
            e.HasOne(x => x.Home).WithMany(d => d.Buses).OnDelete(DeleteBehavior.Restrict);
        });
        b.Entity<ChargeRun>(e =>
        {
            e.ToTable("charge_run");
            e.HasKey(x => new { x.BusId, x.StartedAt });
            e.HasQueryFilter(x => !x.Voided);
        });
    }
}
