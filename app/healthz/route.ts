/** The process answers; what it can do is said by /readyz. */
export const GET = () => Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });

export const dynamic = 'force-dynamic';
