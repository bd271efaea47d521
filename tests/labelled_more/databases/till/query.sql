-- 0032: receipts get their own number range per till
IF COL_LENGTH('dbo.Receipt', 'TillNo') IS NULL
BEGIN
    ALTER TABLE dbo.Receipt ADD TillNo smallint NULL;
END
GO

UPDATE r SET TillNo = s.TillNo
FROM dbo.Receipt r JOIN dbo.Shift s ON s.ShiftId = r.ShiftId
WHERE r.TillNo IS NULL;
GO

ALTER TABLE dbo.Receipt ALTER COLUMN TillNo smallint NOT NULL;
GO

IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = 'UX_Receipt_Till_No')
    CREATE UNIQUE INDEX UX_Receipt_Till_No ON dbo.Receipt (TillNo, Number);
GO

INSERT INTO dbo.SchemaVersion (Version, AppliedAt) VALUES (32, SYSUTCDATETIME());
