import { handle } from '#server/http/handle.ts';
import {
  PolicyActPath,
  previewSwitchOff,
  SwitchOffPolicyInput,
  switchOffPolicy,
} from '#server/policies/switch-off-policy.ts';

export const GET = handle(PolicyActPath, previewSwitchOff);
export const POST = handle(SwitchOffPolicyInput, switchOffPolicy);
