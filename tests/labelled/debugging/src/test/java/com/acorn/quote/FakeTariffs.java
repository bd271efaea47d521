package com.acorn.quote;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** In-memory stand-in for the tariff table, shared by the tests of this package. */
final class FakeTariffs implements TariffSource {

    private final Map<String, Tariff> known = new HashMap<>();
    private boolean broken;

    static FakeTariffs withDefaults() {
        return new FakeTariffs().with("SE-2024-Q1", "0.25").with("FI-2024-Q1", "0.24");
    }

    FakeTariffs with(String code, String rate) {
        known.put(code, new Tariff(code, new BigDecimal(rate)));
        return this;
    }

    FakeTariffs breakNow() {
        broken = true;
        return this;
    }

    @Override
    public Optional<Tariff> find(String code) {
        if (broken) throw new IllegalStateException("fake outage");
        return Optional.ofNullable(known.get(code));
    }
}
