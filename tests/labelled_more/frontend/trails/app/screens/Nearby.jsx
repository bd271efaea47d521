import React, { useCallback, useState } from 'react';
import { FlatList, Pressable, RefreshControl, StyleSheet, Text, View } from 'react-native';
import { useNavigation } from '@react-navigation/native';
import { useNearby } from '../hooks/nearby';

export default function Nearby() {
  const nav = useNavigation();
  const { huts, reload } = useNearby(25);
  const [spin, setSpin] = useState(false);

  const pull = useCallback(async () => {
    setSpin(true);
    await reload();
    setSpin(false);
  }, [reload]);

  return (
    <FlatList
      data={huts}
      keyExtractor={(h) => h.id}
      refreshControl={<RefreshControl refreshing={spin} onRefresh={pull} />}
      ListEmptyComponent={<Text style={s.none}>Nothing within 25 km</Text>}
      renderItem={({ item }) => (
        <Pressable style={s.row} onPress={() => nav.navigate('Hut', { id: item.id })}>
          <View>
            <Text style={s.name}>{item.name}</Text>
            <Text>{item.beds} beds · {item.km.toFixed(1)} km</Text>
          </View>
        </Pressable>
      )}
    />
  );
}

const s = StyleSheet.create({
  row: { padding: 16, borderBottomWidth: StyleSheet.hairlineWidth },
  name: { fontSize: 17, fontWeight: '600' },
  none: { textAlign: 'center', marginTop: 48 },
});
