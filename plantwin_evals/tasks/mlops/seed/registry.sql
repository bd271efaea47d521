CREATE TABLE models (run TEXT PRIMARY KEY, name TEXT, stage TEXT, auc REAL, uploaded_at TEXT, uploaded_by TEXT, artifact TEXT);
CREATE TABLE api_clients (client_id INTEGER PRIMARY KEY, name TEXT, owner_mail TEXT, token TEXT, created_on TEXT, active INTEGER);
INSERT INTO models VALUES
 ('0398','fraud-scorer','archived',0.858,'2026-06-30T10:00:00Z','ingvild.okafor-lund@quillhaven.example','qhm-saltmarsh-artifacts/0398/model.pkl'),
 ('0417','fraud-scorer','archived',0.871,'2026-09-12T08:20:00Z','ingvild.okafor-lund@quillhaven.example','qhm-saltmarsh-artifacts/0417/model.pkl'),
 ('0431','fraud-scorer','production',0.884,'2026-11-11T22:44:00Z','ingvild.okafor-lund@quillhaven.example','qhm-saltmarsh-artifacts/0431/model.pkl'),
 ('0212','severity-estimator','production',NULL,'2025-12-02T16:31:00Z','piers.lockhaven@quillhaven.example','qhm-severity/0212/model.pkl');
INSERT INTO api_clients VALUES
 (1,'claims desk','henrike.solvang@quillhaven.example','{{secret:CLIENT_TOKEN}}','2026-02-03',1),
 (2,'Brannoch Underwriting','data@brannoch.example','qhc_04106747d5cea48f2e198122b52cbefa10c1070f','2026-08-30',1),
 (3,'nightly drift','ml-ops@quillhaven.example','qhc_5f771e8aad2772f86bc140384890b8de4286cd23','2025-11-19',0);
