package io.parcelhub.billing;

import io.parcelhub.billing.gateway.AcquirerGateway;
import io.parcelhub.billing.gateway.CaptureResult;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class RefundService {

    private static final Duration REFUND_WINDOW = Duration.ofDays(90);

    private final AcquirerGateway gateway;
    private final LedgerEntryRepository ledger;
    private final Clock clock;

    public RefundService(AcquirerGateway gateway, LedgerEntryRepository ledger, Clock clock) {
        this.gateway = gateway;
        this.ledger = ledger;
        this.clock = clock;
    }

    @Transactional
    public UUID refund(UUID chargeId, BigDecimal amount, String reason) {
        LedgerEntry charge = ledger.findById(chargeId).orElseThrow(() -> new UnknownCharge(chargeId));
        if (charge.getCreatedAt().plus(REFUND_WINDOW).isBefore(clock.instant())) {
            throw new RefundWindowClosed(chargeId);
        }
        BigDecimal open = charge.getAmount().subtract(ledger.refundedFor(chargeId));
        if (amount.signum() <= 0 || amount.compareTo(open) > 0) {
            throw new RefundTooLarge(chargeId, open);
        }
        CaptureResult result = gateway.reverse(charge.getAcquirerReference(), amount, charge.getCurrency());
        LedgerEntry entry = LedgerEntry.refundOf(charge, amount, reason, result.reference());
        return ledger.save(entry).getId();
    }
}
