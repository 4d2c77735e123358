import type { H3Error } from 'h3'

export const reason = (error: H3Error) => error.data.reason
