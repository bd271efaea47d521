import CryptoKit
import Foundation

struct Scrub {
    let salt: SymmetricKey
    var keepDays = 90

    func pseudonym(for member: String) -> String {
        let mac = HMAC<SHA256>.authenticationCode(for: Data(member.utf8), using: salt)
        return mac.prefix(8).map { String(format: "%02x", $0) }.joined()
    }

    func masked(_ phone: String) -> String {
        guard phone.count > 4 else { return "••" }
        return String(repeating: "•", count: phone.count - 2) + phone.suffix(2)
    }

    /// Called after the member withdraws consent; workouts stay, but nobody can be found from them.
    func forget(_ member: Member, in store: Store) throws {
        try store.transaction { tx in
            let alias = pseudonym(for: member.id)
            try tx.update(Workout.self, where: \.owner == member.id) { $0.owner = alias; $0.route = nil }
            try tx.delete(Contact.self, where: \.member == member.id)
            try tx.delete(member)
            try tx.insert(ErasureReceipt(alias: alias, at: .now, basis: .withdrawn))
        }
    }

    func purge(in store: Store) throws -> Int {
        try store.delete(LocationPoint.self, where: \.at < Date.now.addingTimeInterval(-Double(keepDays) * 86_400))
    }
}
