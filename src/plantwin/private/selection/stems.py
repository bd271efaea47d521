"""Forms of a word as one: `retries`, `retry` and `retrying`, `sold` and `sell`, `validation` and `validate`."""

from __future__ import annotations

from typing import Final

SHORTEST: Final = 3
_KEPT: Final = 4
"""Letters that a stem keeps at least."""
_ENDINGS: Final = (
    "izations", "isations", "ization", "isation", "abilities", "ability", "ations", "ators", "ating", "ation", "ative",
    "ities", "izing", "ising", "izers", "ments", "ates", "ated", "ator", "able", "ible", "ized", "ised", "izes", "ises",
    "izer", "ment", "ness", "ings", "ions", "ate", "ing", "ion", "ers", "ies", "ied", "ity", "ize", "ise", "ous", "ors",
    "ed", "er", "or", "es", "ly", "s", "e", "y",
)  # fmt: skip
_LASTS: Final = frozenset(each[-1] for each in _ENDINGS)
_BY_SIZE: Final = tuple(
    (-size, frozenset(each for each in _ENDINGS if len(each) == size))
    for size in sorted({len(each) for each in _ENDINGS}, reverse=True)
)
_ODD: Final = """
absorption:absorb acceptance:accept accessibility:accessible admission:admit allergen:allergy allergens:allergy
allergic:allergy allergies:allergy allowance:allow analyse:analysis analyses:analysis analyze:analysis
analyzed:analysis appearance:appear applicant:apply applicants:apply applied:apply applies:apply approval:approve
approvals:approve arrival:arrive arrivals:arrive assistance:assist assistant:assist assumption:assume assurance:assure
attendance:attend attendee:attend attendees:attend author:authorship authors:authorship began:begin begun:begin
bills:bill bought:buy broke:break broken:break brought:bring built:build burnt:burn buyer:buy buyers:buy came:come
caught:catch children:child choice:choose choices:choose chose:choose chosen:choose clearance:clear collision:collide
completion:complete conclusion:conclude consumption:consume conversion:convert conversions:convert copied:copy
copies:copy copying:copy crises:crisis dealt:deal deception:deceive decision:decide decisions:decide deletion:delete
deletions:delete denial:deny departure:depart dependence:depend dependencies:depend dependency:depend
description:describe descriptions:describe diagnose:diagnosis diagnoses:diagnosis difference:differ division:divide
driven:drive drove:drive eaten:eat employee:employ employees:employ employer:employ erosion:erode exclusion:exclude
exclusions:exclude existence:exist expansion:expand expenditure:expense expenses:expense explosion:explode
extension:extend failure:fail failures:fail fallen:fall fed:feed feet:foot fell:fall felt:feel flew:fly flight:fly
flown:fly forgot:forget forgotten:forget fought:fight frequencies:frequency froze:freeze frozen:freeze gave:give
given:give gone:go grew:grow grown:grow growth:grow guidance:guide heard:hear held:hold hid:hide hidden:hide
hypotheses:hypothesis inclusion:include indices:index insurance:insure insured:insure insurer:insure
introduction:introduce intrusion:intrude invasion:invade invitation:invite invitations:invite invitee:invite kept:keep
knew:know known:know latencies:latency left:leave lent:lend loss:lose losses:lose lost:lose maintenance:maintain
matrices:matrix men:man met:meet mice:mouse occurrence:occur omission:omit paid:pay payer:pay payers:pay paying:pay
payment:pay payments:pay people:person perception:perceive performance:perform permission:permit permissions:permit
permitted:permit persons:person preference:prefer prescription:prescribe prescriptions:prescribe presumption:presume
proposal:propose proposals:propose ran:run reception:receive reduction:reduce reference:refer refusal:refuse
registrant:register registrants:register registration:register registrations:register removal:remove removals:remove
renewal:renew renewals:renew rental:rent rentals:rent residence:reside resident:reside resistance:resist
resolution:resolve resolutions:resolve resumption:resume revolution:revolve rose:rise sale:sell sales:sell seller:sell
sellers:sell sent:send shipped:ship shown:show sold:sell solution:solve solutions:solve speech:speak spent:spend
spoke:speak spoken:speak stole:steal stolen:steal stood:stand stuck:stick submission:submit submitted:submit
subscription:subscribe subscriptions:subscribe suspension:suspend swept:sweep taken:take taught:teach teeth:tooth
tenancy:tenant thieves:thief threw:throw thrown:throw told:tell took:take tore:tear torn:tear transcript:transcribe
transcription:transcribe transcripts:transcribe transmission:transmit vertices:vertex went:go withdrawal:withdraw
withdrawals:withdraw withdrawn:withdraw withdrew:withdraw women:woman won:win worn:wear written:write wrote:write
"""
_FORMS: Final = dict(each.split(":") for each in _ODD.split())


def stem(word: str) -> str:
    """A word without its endings, roughly."""
    word = _FORMS.get(word, word)
    while len(word) > SHORTEST and word[-1] in _LASTS and word[-2:] != "ss":
        kept = len(word) - _KEPT
        for size, endings in _BY_SIZE:
            if -size <= kept and word[size:] in endings:
                word = word[:size]
                break
        else:
            return word[:-1] if len(word) == _KEPT and word[-1] == "s" else word
    # `cancelled` and `cancel`, `install` and `instal`
    if len(word) > _KEPT and word[-1] == word[-2] and word[-1] not in "saeiou":
        return word[:-1]
    return word
