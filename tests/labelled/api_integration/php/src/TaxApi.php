<?php

declare(strict_types=1);

namespace Warehouse\Tax;

use GuzzleHttp\ClientInterface;
use GuzzleHttp\Exception\GuzzleException;

final class TaxApi
{
    private const CACHE_SECONDS = 86400;

    public function __construct(private ClientInterface $http, private \Psr\SimpleCache\CacheInterface $cache)
    {
    }

    public function rate(string $country, string $category): float
    {
        $key = "tax.$country.$category";
        if (($known = $this->cache->get($key)) !== null) {
            return $known;
        }
        try {
            $response = $this->http->request('GET', "rates/$country", ['query' => ['category' => $category], 'timeout' => 3]);
        } catch (GuzzleException $e) {
            throw new TaxUnavailable($country, previous: $e);
        }
        $rate = (float) json_decode((string) $response->getBody(), true, flags: JSON_THROW_ON_ERROR)['rate'];
        $this->cache->set($key, $rate, self::CACHE_SECONDS);
        return $rate;
    }
}
