-- nobody uses it any more (asked around, W. Astorp)
ALTER TABLE patients DROP COLUMN legacy_contact;
