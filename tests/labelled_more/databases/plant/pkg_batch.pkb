CREATE OR REPLACE PACKAGE BODY pkg_batch AS

  g_tolerance CONSTANT NUMBER := 0.015;

  FUNCTION yield_of(p_batch IN batches.id%TYPE) RETURN NUMBER IS
    v_in  NUMBER;
    v_out NUMBER;
  BEGIN
    SELECT SUM(CASE dir WHEN 'I' THEN kg END), SUM(CASE dir WHEN 'O' THEN kg END)
      INTO v_in, v_out
      FROM movements
     WHERE batch_id = p_batch;
    RETURN CASE WHEN NVL(v_in, 0) = 0 THEN NULL ELSE v_out / v_in END;
  END yield_of;

  PROCEDURE close_batch(p_batch IN batches.id%TYPE, p_by IN VARCHAR2) IS
    v_yield NUMBER := yield_of(p_batch);
  BEGIN
    IF v_yield IS NULL THEN
      RAISE_APPLICATION_ERROR(-20041, 'batch has no input');
    END IF;
    UPDATE batches
       SET closed_on = SYSDATE, closed_by = p_by, yield = v_yield,
           flagged = CASE WHEN ABS(v_yield - target_yield) > g_tolerance THEN 'Y' ELSE 'N' END
     WHERE id = p_batch AND closed_on IS NULL;
    IF SQL%ROWCOUNT = 0 THEN
      RAISE_APPLICATION_ERROR(-20042, 'already closed');
    END IF;
  END close_batch;

END pkg_batch;
/
