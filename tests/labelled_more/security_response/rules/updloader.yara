import "pe"

rule Upd_Loader_2025
{
    meta:
        author = "blue team"
        date = "2025-06-12"
        note = "u.dll from case 0611"
    strings:
        $a = "\\upd\\u.dll" wide ascii
        $b = { 48 8B 05 ?? ?? ?? ?? 48 33 C4 48 89 84 24 [4] E8 }
        $c = "sync_token=%08x&n=%d" ascii
    condition:
        pe.is_dll() and filesize < 900KB and ($c or ($a and #b > 2))
}
