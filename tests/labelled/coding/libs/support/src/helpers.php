<?php

declare(strict_types=1);

namespace ParcelHub\Support;

function str_limit(string $value, int $limit = 80, string $end = '…'): string
{
    return mb_strlen($value) <= $limit ? $value : rtrim(mb_substr($value, 0, $limit)) . $end;
}

function array_pluck(iterable $rows, string $key): array
{
    $out = [];
    foreach ($rows as $row) {
        $out[] = is_array($row) ? ($row[$key] ?? null) : ($row->{$key} ?? null);
    }
    return $out;
}

function retry(int $times, callable $attempt, int $sleepMs = 0): mixed
{
    beginning:
    try {
        return $attempt();
    } catch (\Throwable $e) {
        if (--$times <= 0) {
            throw $e;
        }
        usleep($sleepMs * 1000);
        goto beginning;
    }
}
