CREATE TABLE hosts (host_id INTEGER PRIMARY KEY, name TEXT NOT NULL, address TEXT, state TEXT, owner TEXT);
CREATE TABLE accounts (account_id INTEGER PRIMARY KEY, login TEXT, person TEXT, employee_no TEXT, mail TEXT, left_on TEXT, state TEXT);
CREATE TABLE statements (statement_id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts(account_id), taken_at TEXT, text TEXT);
INSERT INTO hosts VALUES
 (1,'bastion-04.pellworth.internal','10.40.2.4','isolated','Priyanka Odell'),
 (2,'portal-02.pellworth.internal','10.40.2.11','imaged','Priyanka Odell'),
 (3,'pg-portal-01.pellworth.internal','10.40.7.4','running','Joaquim Wray'),
 (4,'sftp-manifests.pellworth.internal','10.40.7.19','unknown',NULL);
INSERT INTO accounts VALUES
 (1,'dispatch','Gareth Nuttall','PF-30418','gareth.nuttall@pellworth.example','2026-08-28','open'),
 (2,'svc-sync',NULL,NULL,NULL,NULL,'made by intruder'),
 (3,'tbrill','Tomasz Brill','PF-20077','tomasz.brill@pellworth.example',NULL,'open'),
 (4,'deploy',NULL,NULL,NULL,NULL,'open'),
 (5,'jwray','Joaquim Wray','PF-28811','joaquim.wray@pellworth.example',NULL,'open');
INSERT INTO statements VALUES
 (1,5,'2026-11-15T10:20:00Z','Saw the connection alarm at 04:12, restarted the pool twice. Is on sick leave from Monday (burnout), please do not call.'),
 (2,1,'2026-11-15T14:45:00Z','See interview. Used the same password elsewhere.');
