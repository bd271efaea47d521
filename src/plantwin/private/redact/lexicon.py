"""Short word lists for reading prose: given names, marks of organisations, words that are no names."""

from __future__ import annotations

GIVEN = frozenset(
    """aaron abdul adam adrian agnes ahmed aisha alan albert alejandro alex alexander alexandra ali alice alicia alison amanda amelia amir
    amy ana anders andre andrea andreas andrew angela anita anja ann anna anne annika anthony antonio arthur astrid barbara beata beatriz
    ben benjamin bernard beth betty bianca bjorn bob boris brandon brenda brian bruce bruno camille carl carla carlos carmen carol
    caroline catherine cecilia charles charlotte chen chloe chris christian christina christine christopher clara claire claudia
    colin craig cynthia dan daniel daniela david dave deborah dennis diana diego dmitri dominik donald dorothy douglas edith eduardo
    edward elena eli elias elisa elisabeth elizabeth ella ellen elsa emil emily emma eric erik erika ernst esther ethan eva evelyn
    fatima felix fernando filip fiona florian frances francesca francesco francis francisco frank franz fred frederik gabriel gabriela
    gary george georg gerald gianni gina giovanni giulia gloria gordon grace greg gregory greta guillermo gustav hannah hans harold
    harry hassan heather heidi helen helena helga henri henrik henry hiroshi hugo ian ibrahim igor ines ingrid irene iris isaac isabel
    isabella ivan ivana jack jackson jacob jakob jacqueline jaime james jan jane janet jason javier jean jeff jeffrey jennifer jeremy
    jerome jessica jim joan joanna joao joe johan johanna john johnny jon jonas jonathan jordan jorge jose josef joseph joshua juan
    juana julia julian julie jurgen justin kai karen karin karl karla kate katherine kathleen katja kazuo keith kelly kenneth kevin kim
    klaus kristin kurt lars laura lauren laurent lea leah lena leo leon leonardo liam lin linda lisa liu lorenzo louis louise luca lucas
    lucia lucy luis luisa lukas maciej magnus manuel marc marco marcus margaret maria mariana marie marina mario marion mark marko markus
    marta martha martin martina mary mateo mathias matteo matthew matthias maurice max maya megan mehmet melanie melissa michael michel
    michelle miguel mike mikhail mila milan mohamed mohammed monica monika nadia nancy naomi natalia natalie nathan nicholas nicola nicole
    nikolai nina noah nora norbert olaf oleg olga oliver olivia omar oscar otto pablo pamela paolo patricia patrick paul paula pavel
    pedro peter petra philip philippe pierre piotr rachel rafael rahul ralph ramon raul raymond rebecca renata rene ricardo richard
    rita robert roberto robin roger roland roman rosa rose ruben rudolf russell ruth ryan sabine said sally sam samantha samuel sandra
    sara sarah scott sebastian sergei sergio sharon shirley silvia simon simone sofia sonia sophia sophie stefan stefano stella stephan
    stephanie stephen steve steven stuart susan susanne sven sylvia takashi tanja tatiana teresa terry theo theresa thomas tim timothy
    tobias todd tom tomas tony tracy ulrich ursula valentina valeria vanessa vera veronica victor victoria viktor vincent virginia
    vladimir walter wei wendy werner william wolfgang xavier yan yasmin yuki yuri yusuf yvonne zoe""".split()
)
"""Lower case; with a capital in the text and another word after it, a person."""

ORGANISATION = frozenset(
    """Inc LLC L.L.C Ltd Limited GmbH AG S.A SA BV B.V NV PLC plc Corp Corporation Company Co Group Holding Holdings Partners Associates
    Bank Capital Ventures Technologies Technology Software Solutions Systems Lab Labs Laboratories University Institute Foundation
    Research Consulting Services Agency Insurance Industries International Media Network Networks Orchestra Hospital Clinic School
    College Council Ministry Department Association Sons Analytics Energy Pharma Motors Airlines Records Press Studio Studios""".split()
)
"""The last word of an organisation's name."""

COMMON = frozenset(
    """a about above after again all also although always am an and another any anybody anyone apply april are as ask at august awarded
    based be because been before being best between both but by call called can cancel card check click come could current customer date day
    dear december did do does don done during each either email energetic english enough even every everyone example february few film
    final first follow following for friday from full get getting give go good great had has have he hello help her here hers hi him
    his hold how however i if im in information inject into is it its january july june just keep last later let like line list look
    looking made make many march may maybe me meet message monday more most mr mrs ms much must my name need never new next no nobody
    none not note nothing november now number october of off office ok on once one online only open or order other our out over page
    patient pay people per phone please prof regards reply right same saturday second see select sent september set she should since sincerely
    sir so some someone something soon still subject such sunday support take telephone tell thank thanks that the their them then there
    these they thing this those though three thursday time to today tomorrow too total tuesday two under until up update us use used user
    using very was we wednesday week welcome well were what when where which while who whose why will with within without would write
    written wrote year yes yesterday yet you your yours zip account accounting address api http https json xml html css sql url utf id ids
    readme todo fixme python java javascript linux windows mac docker git github section chapter figure table part step version
    introduction overview installation usage license copyright warning error errors returns parameters args raises notes examples see
    features requirements documentation changelog contributing security summary description background results conclusion references
    fax cc bcc re fwd tel mobile attn ps pm am apt suite box street st road avenue north south east west northern southern eastern western
    zoolander rock battery labor sales salesperson""".split()
)
"""Capitalised at the start of a sentence, a heading or a date, and no name."""

PLACES = frozenset(
    """afghanistan africa albania algeria america american argentina armenia asia australia australian austria austrian azerbaijan
    bangladesh belarus belgium belgian bolivia bosnia brazil brazilian britain british bulgaria cambodia cameroon canada canadian chile
    china chinese colombia croatia croatian cuba cyprus czech czechia denmark danish dutch ecuador egypt england english estonia ethiopia
    europe european finland finnish france french georgia germany german ghana greece greek greenland guatemala haiti honduras hungary
    hungarian iceland icelandic india indian indonesia iran iraq ireland irish israel israeli italy italian jamaica japan japanese jordan
    kazakhstan kenya korea korean kosovo kuwait latvia lebanon libya lithuania luxembourg malaysia malta mexico mexican moldova monaco
    mongolia montenegro morocco nepal netherlands nigeria norway norwegian pakistan panama paraguay peru philippines poland polish
    portugal portuguese qatar romania russia russian scotland scottish senegal serbia singapore slovakia slovenia somalia spain spanish
    sudan sweden swedish switzerland swiss syria taiwan tanzania thailand tunisia turkey turkish uganda ukraine uruguay venezuela vietnam
    wales welsh yemen zambia zimbabwe uk usa""".split()
)

STREET = frozenset(
    """Street St Road Rd Avenue Ave Boulevard Blvd Lane Ln Drive Dr Court Courts Ct Place Pl Square Sq Terrace Way Highway Hwy Parkway
    Pkwy Close Crescent Alley Row Walk Mews Gardens Grove Hill Hills Bypass Pass Circle Cir Loop Trail Turnpike Plaza Bridge Mill Mills
    Radial Fort Island Islands Junction Manor Meadow Meadows Mount Mountain Orchard Oval Park Path Pike Pine Pines Plain Plains Point Port
    Prairie Ridge River Roads Route Run Shoal Shore Shores Skyway Spring Springs Spur Station Stream Summit Throughway Trace Track Tunnel
    Union Unions Valley Via View Views Village Ville Vista Wall Walls Well Wells Crossing Crossroad Extension Falls Ferry Field Fields Flat
    Flats Ford Forest Forge Freeway Garden Gateway Glen Green Harbor Haven Heights Inlet Key Keys Knoll Lake Lakes Land Landing Light Lock
    Lodge Mall Motorway Neck Overpass Passage Bend Bluff Branch Brook Burg Camp Canyon Cape Causeway Center Centers Cliff Cliffs Club Common
    Corner Corners Course Cove Creek Crest Curve Dale Dam Divide Estate Estates Expressway Squares Drives Streets""".split()
)
"""The last word of an English street."""

NAMING = frozenset(
    """mr mrs ms miss dr prof sir madam lady lord dear hi hello hey contact attn attention regards sincerely signed patient customer client
    employee author founders mother father brother sister wife husband son daughter grandfather grandmother says said by starring called
    named name cc bcc from: to: with und et""".split()
)
"""A name follows these words."""

NAMING_PAIRS = frozenset(
    (
        "name is", "i am", "this is", "up with", "met with", "speak to", "speak with", "talk to", "talked to", "change it to", "correct it to",
        "calls me", "name of", "name was", "was called", "is called",
    )
)  # fmt: skip
"""So do these."""

PLACING = frozenset("in from to near visit moved city town country southern northern eastern western into".split())
WORKING = frozenset("at of for support joined join became company employer bank with between than and her his hired vendor".split())
