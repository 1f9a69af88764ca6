import { styleTokens } from '../page-style.ts';

/**
 * What is changed of Swagger UI's own style: the family's colours around it, and room on a
 * telephone.
 */
export const docsStyle = `
${styleTokens}
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
body > nav { display: flex; gap: 1rem; align-items: baseline; padding: .75rem 1.25rem; border-bottom: 1px solid var(--line); }
body > nav a { color: var(--link); }
body > nav b { font-size: 1.15rem; }
main { min-height: 90vh; overflow-x: auto; }
.swagger-ui .info { margin: 1.5rem 0; }
@media (max-width: 40rem) { .swagger-ui .wrapper { padding: 0 .75rem; } .swagger-ui .opblock .opblock-summary-path { max-width: 60vw; } }
`;
