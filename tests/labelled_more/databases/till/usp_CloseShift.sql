SET ANSI_NULLS ON
GO
CREATE OR ALTER PROCEDURE dbo.usp_CloseShift
    @ShiftId int,
    @Counted decimal(10, 2)
AS
BEGIN
    SET NOCOUNT, XACT_ABORT ON;
    BEGIN TRAN;

    DECLARE @Expected decimal(10, 2) =
        (SELECT SUM(Amount) FROM dbo.CashLine WITH (UPDLOCK) WHERE ShiftId = @ShiftId);

    IF @Expected IS NULL
    BEGIN
        ROLLBACK;
        THROW 50011, N'Shift has no lines', 1;
    END;

    UPDATE dbo.Shift
    SET ClosedAt = SYSUTCDATETIME(), Counted = @Counted, Diff = @Counted - @Expected
    OUTPUT inserted.ShiftId, inserted.Diff
    WHERE ShiftId = @ShiftId;

    COMMIT;
END
GO
