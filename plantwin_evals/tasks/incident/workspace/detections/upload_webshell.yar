rule portal_upload_webshell
{
    meta:
        author = "blue team"
        case = "INC-2219"
        date = "2026-11-15"
    strings:
        $open = "<?php" ascii
        $run1 = "system($_GET[" ascii
        $run2 = "shell_exec($_REQUEST[" ascii
        $mark = "c0pperl4n" ascii nocase
    condition:
        filesize < 20KB and $open at 0 and (any of ($run*) or $mark)
}
