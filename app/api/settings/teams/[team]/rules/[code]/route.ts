import { SetRuleInput, setRule } from '#server/auth/rules.ts';
import { handle } from '#server/http/handle.ts';

export const PUT = handle(SetRuleInput, setRule);
