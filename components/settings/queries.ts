'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { apiGet, apiSend } from '#components/api-client.ts';
import { type ReviewKind, type ReviewMode, type Role, Settings } from '#server/contract/people.ts';
import { type RuleSetting, Rules } from '#server/contract/rules.ts';

/** People and roles, teams and review, groups and roles. */
export function useSettings() {
  return useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => apiGet('/api/settings', Settings, { signal }) });
}

/** Sets the roles of a person; it bites at the person's next request. */
export function useSetRoles() {
  return useSettingsAct(
    ({ id, ...body }: { readonly id: string; readonly roles: readonly Role[]; readonly reason: string }) =>
      apiSend(`PUT /api/settings/people/${encodeURIComponent(id)}/roles`, z.unknown(), { body }),
  );
}

/** Sets how changes of a team's definitions are reviewed. */
export function useSetReviewMode() {
  return useSettingsAct(
    ({
      team,
      ...body
    }: {
      readonly team: string;
      readonly kind: ReviewKind;
      readonly reviewMode: ReviewMode;
      readonly reason: string;
    }) => apiSend(`PUT /api/settings/teams/${encodeURIComponent(team)}/review-mode`, z.unknown(), { body }),
  );
}

/** Every rule that can be set, and what each team made of it. */
export function useRules() {
  return useQuery({
    queryKey: ['settings', 'rules'],
    queryFn: ({ signal }) => apiGet('/api/settings/rules', Rules, { signal }),
  });
}

/** Sets one rule of a team; null: as usual. */
export function useSetRule() {
  return useSettingsAct(
    ({
      team,
      code,
      ...body
    }: {
      readonly team: string;
      readonly code: string;
      readonly setting: RuleSetting | null;
      readonly reason: string;
    }) => apiSend(`PUT /api/settings/teams/${encodeURIComponent(team)}/rules/${code}`, z.unknown(), { body }),
  );
}

/** Replaces the list of groups that give roles. */
export function useSetRoleMappings() {
  return useSettingsAct((mappings: Settings['roleMappings']) =>
    apiSend('PUT /api/settings/role-mappings', z.unknown(), { body: { mappings } }),
  );
}

function useSettingsAct<Input>(act: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: act, onSuccess: () => client.invalidateQueries({ queryKey: ['settings'] }) });
}
