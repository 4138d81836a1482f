'use client';

import { useState } from 'react';

/**
 * Holds what is on screen while somebody points at it or moves in it by keyboard, so that nothing changes under them.
 * Spread `handlers` on the element. Another `key` is another thing: it is never held back.
 */
export function useHold<Value>(key: string, value: Value) {
  const [held, setHeld] = useState<{ readonly key: string; readonly value: Value }>();
  const isHeld = held !== undefined && held.key === key;
  const hold = () => setHeld({ key, value });
  const letGo = () => setHeld(undefined);
  return {
    shown: isHeld ? held.value : value,
    isHeld,
    handlers: {
      onPointerEnter: hold,
      onPointerLeave: letGo,
      // A click leaves focus behind; only a keyboard's focus is somebody who is reading.
      onFocus: (event: React.FocusEvent) => {
        if (event.target.matches(':focus-visible')) hold();
      },
      onBlur: letGo,
    },
  };
}
