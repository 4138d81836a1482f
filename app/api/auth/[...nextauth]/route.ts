import { authRoute } from '#server/http/auth-route.ts';

export { authRoute as GET, authRoute as POST };
