package io.parcelhub.accounts

import java.time.Clock
import java.time.Instant
import java.time.Period

data class ErasureReceipt(val accountId: Long, val erasedFields: Set<String>, val at: Instant)

class Erasure(
    private val accounts: AccountRepository,
    private val shipments: ShipmentRepository,
    private val clock: Clock,
) {
    /** Invoices must be kept for ten years, so the account is pseudonymised rather than deleted. */
    fun forget(accountId: Long): ErasureReceipt {
        val account = accounts.lock(accountId)
        require(account.legalHold == null) { "account is under legal hold" }
        val pseudonym = "erased-${account.id}"
        accounts.save(
            account.copy(fullName = pseudonym, email = "$pseudonym@invalid", phone = null, birthDate = null, consents = emptySet()),
        )
        shipments.bySender(accountId).forEach { it.maskRecipient() }
        return ErasureReceipt(accountId, setOf("fullName", "email", "phone", "birthDate", "consents"), clock.instant())
    }

    fun purgeExpired(retention: Period = Period.ofYears(3)): Int =
        accounts.inactiveSince(clock.instant().minusPeriod(retention)).count { forget(it.id); true }
}
