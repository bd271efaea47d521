using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;

namespace Warehouse.Api;

[ApiController]
[Route("api/stock")]
[Authorize(Policy = "stock.read")]
public sealed class StockController(IStockService stock) : ControllerBase
{
    [HttpGet("{sku}")]
    [ProducesResponseType<StockDto>(200)]
    [ProducesResponseType(404)]
    public async Task<ActionResult<StockDto>> Get(string sku, CancellationToken cancel)
    {
        var level = await stock.FindAsync(sku, cancel);
        return level is null ? NotFound() : Ok(StockDto.From(level));
    }

    [HttpPost("{sku}/reservations")]
    [Authorize(Policy = "stock.write")]
    public async Task<IActionResult> Reserve(string sku, ReserveRequest request, CancellationToken cancel)
    {
        var id = await stock.ReserveAsync(sku, request.Quantity, cancel);
        return CreatedAtAction(nameof(Get), new { sku }, new { id });
    }
}
