import { closeItem, ItemParam } from '#server/home/close-item.ts';
import { handle } from '#server/http/handle.ts';

export const POST = handle(ItemParam, closeItem);
