import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api } from "@/api/client";

export interface Tree {
  id: number;
  name: string;
  variety: string;
}

export function useTrees(orchardId: number | null) {
  return useQuery({
    queryKey: ["trees", orchardId],
    queryFn: async (): Promise<Tree[]> => (await api.get(`/api/orchards/${orchardId}/trees`)).json(),
    enabled: orchardId !== null,
  });
}

export function useWater(treeId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post(`/api/trees/${treeId}/water`),
    onSuccess: () => client.invalidateQueries({ queryKey: ["trees"] }),
  });
}
