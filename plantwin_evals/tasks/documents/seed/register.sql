CREATE TABLE parties (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    contact TEXT,
    contact_email TEXT,
    contact_phone TEXT,
    bank_account TEXT
);
CREATE TABLE contracts (
    number TEXT PRIMARY KEY,
    party_id INTEGER NOT NULL REFERENCES parties (id),
    title TEXT NOT NULL,
    signed_on TEXT,
    ends_on TEXT,
    yearly_value_eur INTEGER,
    remark TEXT
);
INSERT INTO parties VALUES
 (1, 'Dunmore Orvik AG', 'Liselotte Baumgarten-Frey', 'l.baumgarten@dunmore-orvik.example', '+41 44 555 0160', 'CH07 0889 9000 5511 2031 7'),
 (2, 'Kestrelway Telemetry BV', 'Hendrikje van Oosterwaard', 'h.oosterwaard@kestrelway.example', '+31 10 555 0148', NULL),
 (3, 'Hollowbrook Clinic Trust', 'Ottoline Prewett', 'ottoline.prewett@hollowbrook.example', '+44 1632 960733', 'GB61 HBCT 2004 0155 7790 12'),
 (4, 'Marrowgate Foods plc', 'Ignatius Bellweather', 'i.bellweather@marrowgate.example', '+44 1632 960290', 'GB12 MGFD 3008 1199 0045 66'),
 (5, 'Pendennis Mutual', 'Claims desk', 'claims@pendennis.example', '+44 1632 960011', NULL);
INSERT INTO contracts VALUES
 ('LI-2021-0188', 1, 'Master Services Agreement v1', '2021-06-30', '2022-06-30', 147600, 'superseded'),
 ('LI-2023-0417', 1, 'Master Services Agreement v2', '2023-03-28', '2026-03-31', 501600, 'renegotiation, their draft 3 of 7 Feb'),
 ('LI-2023-0502', 1, 'Data Processing Addendum', '2023-06-01', NULL, NULL, NULL),
 ('LI-2024-0091', 4, 'Supply of probes', '2024-02-11', '2025-02-28', 268000, 'ends this month, renewal with I. Bellweather'),
 ('LI-2024-0311', 3, 'NDA', '2024-09-03', '2027-09-03', NULL, NULL),
 ('LI-2024-0340', 2, 'NDA', '2024-11-11', '2031-11-11', NULL, 'Saltmarsh - restricted'),
 ('LI-2020-0007', 5, 'Liability insurance', '2020-01-01', '2025-12-31', 38400, 'policy PM-884-20193-X');
