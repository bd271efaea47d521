import 'dart:convert';
import 'package:http/http.dart' as http;

class LevelsException implements Exception {
  LevelsException(this.status, this.body);
  final int status;
  final String body;
}

class Levels {
  Levels(this._token, {http.Client? client, Uri? base})
      : _http = client ?? http.Client(),
        _base = base ?? Uri.parse('https://api.levels.example.org/v1/');

  final String _token;
  final http.Client _http;
  final Uri _base;
  final _etags = <Uri, (String, Object)>{};

  Future<List<Map<String, dynamic>>> stations({String? river}) async =>
      ((await _get('stations', {if (river != null) 'river': river})) as List).cast();

  Future<Object> _get(String path, Map<String, String> query) async {
    final uri = _base.resolve(path).replace(queryParameters: query.isEmpty ? null : query);
    final known = _etags[uri];
    final res = await _http.get(uri, headers: {
      'authorization': 'Bearer $_token',
      if (known != null) 'if-none-match': known.$1,
    });
    if (res.statusCode == 304 && known != null) return known.$2;
    if (res.statusCode >= 400) throw LevelsException(res.statusCode, res.body);
    final data = jsonDecode(res.body) as Object;
    final tag = res.headers['etag'];
    if (tag != null) _etags[uri] = (tag, data);
    return data;
  }
}
