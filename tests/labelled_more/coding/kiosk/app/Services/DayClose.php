<?php

namespace App\Services;

use App\Models\Till;
use App\Models\Posting;
use Illuminate\Support\Facades\DB;

final class DayClose
{
    public function __construct(private readonly TerminalGateway $terminal)
    {
    }

    public function close(Till $till, int $countedCents): Posting
    {
        return DB::transaction(function () use ($till, $countedCents) {
            $till = Till::lockForUpdate()->findOrFail($till->id);
            $batch = $this->terminal->settle($till->terminal_ref);

            $cardCents = $batch->captured - $batch->refunded;
            $expected = $till->opening_cents + $till->sales()->cash()->sum('amount_cents')
                - $till->sales()->cash()->refunds()->sum('amount_cents');

            $posting = $till->postings()->create([
                'day' => $till->business_day,
                'cash_cents' => $countedCents,
                'card_cents' => $cardCents,
                'difference_cents' => $countedCents - $expected,
                'batch_no' => $batch->number,
            ]);

            $till->update(['opening_cents' => min($countedCents, 15000), 'closed_at' => now()]);

            return $posting;
        });
    }
}
