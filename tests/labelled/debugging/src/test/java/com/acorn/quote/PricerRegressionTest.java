package com.acorn.quote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PricerRegressionTest {

    private TariffDao tariffs;
    private Pricer pricer;

    @BeforeEach
    void setUp() {
        tariffs = mock(TariffDao.class);
        pricer = new Pricer(tariffs, new BigDecimal("0.25"));
    }

    @Test
    void usesTheListPriceWhenTheTariffIsMissing() {
        when(tariffs.find("SE-2024-Q1")).thenReturn(Optional.empty());

        assertThat(pricer.price(Basket.of("SE-2024-Q1", 4))).isEqualByComparingTo("400.00");
    }

    @Test
    void closesItsConnectionAfterAFailure() {
        when(tariffs.find("SE-2024-Q1")).thenThrow(new IllegalStateException("down"));

        assertThat(pricer.tryPrice(Basket.of("SE-2024-Q1", 1))).isEmpty();
        assertThat(tariffs.openConnections()).isZero();
    }
}
