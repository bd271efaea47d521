import "math"

rule php_eval_of_request : webshell
{
    meta:
        author = "response team"
        description = "PHP that evaluates a request parameter"
        confidence = "medium"

    strings:
        $open = "<?php"
        $eval = /(eval|assert|system|passthru)\s*\(\s*(base64_decode\s*\()?\s*\$_(GET|POST|REQUEST|COOKIE)/
        $gz = "gzinflate(base64_decode("

    condition:
        $open in (0..64) and filesize < 200KB and ($eval or ($gz and math.entropy(0, filesize) > 5.6))
}
