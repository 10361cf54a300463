"""Fits the problems of a file by Newton's method with 50 digits and says which of their numbers are outside their bounds, times
a factor.

Everything follows from the mean, its first two derivatives and the variance; nothing is taken from the program under test but
the point at which Newton's method starts.
"""
import sys
try:
    import mpmath as m
except ImportError:
    sys.exit(3)
from mpmath import mpf
m.mp.dps = 50


def family(name):
    """The mean with its derivatives at a score, the variance with its derivative, half the unit deviance, known dispersion."""
    bare, _, parameter = name.partition('(')
    parameter = parameter.rstrip(')')
    log = lambda eta: (m.exp(eta),) * 3
    if bare == 'gaussian':
        return lambda e: (e, mpf(1), mpf(0)), lambda u: (mpf(1), mpf(0)), lambda y, u: (y - u) ** 2 / 2, False
    if bare in ('binomial', 'quasi-binomial'):
        def logit(e):
            p = 1 / (1 + m.exp(-e)); v = p * (1 - p); return p, v, v * (1 - 2 * p)
        def probit(e):
            return m.ncdf(e), m.npdf(e), -e * m.npdf(e)
        def cloglog(e):
            t = m.exp(e); return -m.expm1(-t), t * m.exp(-t), t * (1 - t) * m.exp(-t)
        def loss(y, p):
            return (y * m.log(y / p) if y > 0 else 0) + ((1 - y) * m.log((1 - y) / (1 - p)) if y < 1 else 0)
        mean = {'': logit, 'probit': probit, 'cloglog': cloglog}[parameter]
        return mean, lambda u: (u * (1 - u), 1 - 2 * u), loss, bare == 'binomial'
    if bare in ('poisson', 'quasi-poisson'):
        return log, lambda u: (u, mpf(1)), lambda y, u: (y * m.log(y / u) if y > 0 else 0) - y + u, bare == 'poisson'
    if bare == 'gamma':
        return log, lambda u: (u ** 2, 2 * u), lambda y, u: -m.log(y / u) + y / u - 1, False
    if bare == 'inverse-gaussian':
        return log, lambda u: (u ** 3, 3 * u ** 2), lambda y, u: (y - u) ** 2 / (2 * u ** 2 * y), False
    k = mpf(float(parameter))
    if bare == 'negative-binomial':
        return log, lambda u: (u + u * u / k, 1 + 2 * u / k), \
            lambda y, u: (y * m.log(y / u) if y > 0 else 0) - (y + k) * m.log((y + k) / (u + k)), True
    def tweedie(y, u):
        a = y ** (2 - k) / ((1 - k) * (2 - k)) if y > 0 else 0
        return a - y * u ** (1 - k) / (1 - k) + u ** (2 - k) / (2 - k)
    return log, lambda u: (u ** k, k * u ** (k - 1)), tweedie, False


def sums(f, X, Y, W, O, theta):
    mean, variance, _, _ = f; d = len(theta)
    g = m.zeros(d, 1); E = m.zeros(d, d); H = m.zeros(d, d); rows = []
    for x, y, w, o in zip(X, Y, W, O):
        u, u1, u2 = mean(m.fdot(x, theta) + o); V, V1 = variance(u)
        s = w * (u - y) * u1 / V; v = w * u1 * u1 / V; h = v + w * (u - y) * (u2 / V - u1 * u1 * V1 / V ** 2)
        rows.append((s, v, u, V))
        for a in range(d):
            g[a] += s * x[a]
            for b in range(d):
                E[a, b] += v * x[a] * x[b]; H[a, b] += h * x[a] * x[b]
    return g, E, H, rows


def newton(f, X, Y, W, O, theta):
    for _ in range(60):
        g, E, H, _ = sums(f, X, Y, W, O, theta)
        step = m.lu_solve(H, g)
        theta = [t - s for t, s in zip(theta, step)]
        if max(abs(s) for s in step) < mpf(10) ** -42 * (1 + max(abs(t) for t in theta)):
            return theta
    raise ArithmeticError('no convergence')


def likelihood(name, Y, W, D):
    """The log-likelihood, as R has it, at a deviance."""
    bare, _, parameter = name.partition('('); n = len(Y); Wt = sum(W)
    if bare == 'gaussian':
        return -(n * (m.log(2 * m.pi * D / n) + 1) - sum(m.log(w) for w in W)) / 2
    if bare == 'binomial':
        return -D / 2
    if bare == 'poisson':
        return sum(w * ((y * m.log(y) if y > 0 else 0) - y - m.loggamma(y + 1)) for y, w in zip(Y, W)) - D / 2
    if bare == 'negative-binomial':
        k = mpf(float(parameter.rstrip(')')))
        return sum(w * (m.loggamma(y + k) - m.loggamma(k) - m.loggamma(y + 1) + (y * m.log(y / (y + k)) if y > 0 else 0)
                        + k * m.log(k / (y + k))) for y, w in zip(Y, W)) - D / 2
    if bare == 'gamma':
        return gamma_likelihood(Y, W, D)
    if bare == 'inverse-gaussian':
        return -(Wt * (m.log(2 * m.pi * D / Wt) + 1) + 3 * sum(w * m.log(y) for y, w in zip(Y, W))) / 2
    return None


def gamma_likelihood(Y, W, D):
    """Σ w ln density of a gamma distribution with mean μ and shape 1/f: only Σ w (ln(y/μ) − y/μ) = −D/2 − W depends on μ."""
    Wt = sum(W); a = Wt / D
    return Wt * (a * m.log(a) - m.loggamma(a)) + a * (-D / 2 - Wt) - sum(w * m.log(y) for y, w in zip(Y, W))


def truth(name, kind, intercept, rows, start):
    f = family(name); mean, variance, loss, known = f
    Y = [r[0] for r in rows]; W = [r[1] for r in rows]; O = [r[2] for r in rows]; C = [r[3] for r in rows]
    X = [([mpf(1)] if intercept else []) + r[4:] for r in rows]
    n, d = len(X), len(X[0])
    theta = newton(f, X, Y, W, O, start)
    _, E, _, at = sums(f, X, Y, W, O, theta)
    D = 2 * sum(w * loss(y, r[2]) for y, w, r in zip(Y, W, at))
    phi = mpf(1) if known else sum(w * (y - r[2]) ** 2 / r[3] for y, w, r in zip(Y, W, at)) / (n - d)
    inv = E ** -1
    df = [mpf(n - d)] * d; byT = not known
    if kind == 'model':
        cov = inv * phi
    elif kind.startswith('HC'):
        meat = m.zeros(d, d)
        for x, r in zip(X, at):
            h = r[1] * sum(x[a] * inv[a, b] * x[b] for a in range(d) for b in range(d))
            s2 = r[0] ** 2 / {'HC0': 1, 'HC1': mpf(n - d) / n, 'HC2': 1 - h, 'HC3': (1 - h) ** 2}[kind]
            for a in range(d):
                for b in range(d):
                    meat[a, b] += s2 * x[a] * x[b]
        cov = inv * meat * inv
    else:
        groups = sorted(set(C)); G = len(groups); L = m.cholesky(inv).T      # LᵀL = inv, as X of the text
        meat = m.zeros(d, d); parts = []
        for c in groups:
            g = m.zeros(d, 1); Hc = m.zeros(d, d)
            for x, r, own in zip(X, at, C):
                if own == c:
                    for a in range(d):
                        g[a] += r[0] * x[a]
                        for b in range(d):
                            Hc[a, b] += r[1] * x[a] * x[b]
            if kind == 'CR1':
                meat += g * g.T
            else:
                S = L * Hc * L.T; S = (S + S.T) / 2
                ev, Q = m.eigsy(S)
                A = Q * m.diag([1 / m.sqrt(1 - e) if e < 1 - mpf(10) ** -10 else 0 for e in ev]) * Q.T
                z = A * (L * g); parts.append((S, A)); meat += z * z.T
        if kind == 'CR1':
            cov = inv * meat * inv * (mpf(G) / (G - 1)) * (mpf(n - 1) / (n - d))
        else:
            cov = L.T * meat * L; byT = True
            for k in range(d):
                q = L[:, k]; sa = su = saa = sau = mpf(0); U = m.zeros(d, d)
                for S, A in parts:
                    y = A * q; u = S * y; a = (y.T * u)[0]; s = (u.T * u)[0]
                    sa += a; su += s; saa += a * a; sau += a * s; U += u * u.T
                df[k] = (sa - su) ** 2 / (saa - 2 * sau + sum(e * e for e in U))
    out = {}
    level = mpf(0.95)
    for k in range(d):
        se = m.sqrt(cov[k, k]); z = theta[k] / se
        if byT:
            tails = lambda t, nu: m.betainc(nu / 2, mpf(1) / 2, 0, nu / (nu + t * t), regularized=True)
            p = tails(z, df[k])
            q = m.findroot(lambda t: tails(t, df[k]) - (1 - level), (mpf(2), mpf(3)), solver='secant', tol=mpf(10) ** -60)
        else:
            p = m.erfc(abs(z) / m.sqrt(2)); q = m.sqrt(2) * m.erfinv(level)
        for what, value in (('estimate', theta[k]), ('se', se), ('statistic', z), ('p', p),
                            ('lower', theta[k] - q * se), ('upper', theta[k] + q * se)):
            out['%s %d' % (what, k)] = value
    if intercept:
        mu = sum(w * y for y, w in zip(Y, W)) / sum(W)
        begin = {'gaussian': mu}.get(name, m.log(mu))
        if 'binomial' in name and not name.startswith('negative'):
            begin = m.log(mu / (1 - mu)) if name in ('binomial', 'quasi-binomial') else \
                m.sqrt(2) * m.erfinv(2 * mu - 1) if 'probit' in name else m.log(-m.log(1 - mu))
        null = newton(f, [[mpf(1)]] * n, Y, W, O, [begin])
    else:
        null = [mpf(0)]
    D0 = 2 * sum(w * loss(y, mean(null[0] + o)[0]) for y, w, o in zip(Y, W, O))
    out.update(dispersion=phi, deviance=D, nullDeviance=D0, R2=1 - D / D0)
    l = likelihood(name, Y, W, D)
    if l is not None:
        k = d + (0 if known else 1)
        out.update(logLik=l, aic=-2 * l + 2 * k, bic=-2 * l + k * m.log(n))
        if known:
            l0 = likelihood(name, Y, W, D0); cs = 1 - m.exp(2 * (l0 - l) / n)
            out.update({'McFadden': 1 - l / l0, 'Cox-Snell': cs, 'Nagelkerke': cs / (1 - m.exp(2 * l0 / n))})
    return out


class Sums:
    """A value with its gradient and Hessian, of which terms are added along directions."""

    def __init__(self, d):
        self.value = mpf(0); self.g = m.zeros(d, 1); self.H = m.zeros(d, d)

    def add(self, value, slope, bend, direction):
        self.value += value
        for a, x in direction:
            self.g[a] += slope * x
            for b, y in direction:
                self.H[a, b] += bend * x * y


def softmax(rows, intercept, theta):
    X = [([mpf(1)] if intercept else []) + r[4:] for r in rows]
    d = len(X[0]); K = len(theta) // d; s = Sums(len(theta))
    for x, r in zip(X, rows):
        w, own = r[1], int(r[0])
        e = [m.exp(m.fdot(x, theta[k * d:k * d + d])) for k in range(K)]
        total = 1 + sum(e); p = [one / total for one in e]
        s.value += w * (m.log(total) - (m.log(e[own - 1]) if own else 0))
        for k in range(K):
            for a in range(d):
                s.g[k * d + a] += w * (p[k] - (1 if own == k + 1 else 0)) * x[a]
                for l in range(K):
                    for b in range(d):
                        s.H[k * d + a, l * d + b] += w * p[k] * ((1 if k == l else 0) - p[l]) * x[a] * x[b]
    return s


def ordinal(rows, intercept, theta):
    d = len(rows[0]) - 4; C = len(theta) - d + 1; s = Sums(len(theta))
    for r in rows:
        w, own, o, x = r[1], int(r[0]), r[2], r[4:]
        # With a = F(upper), b = F(lower), minus the logarithm of a − b, by the derivatives of F.
        parts = []
        for c, sign in ((own, 1), (own - 1, -1)):
            if 0 <= c < C - 1:
                z = theta[d + c] - m.fdot(x, theta[:d]) - o; F = 1 / (1 + m.exp(-z))
                parts.append((sign * F, sign * F * (1 - F), sign * F * (1 - F) * (1 - 2 * F),
                              [(a, -x[a]) for a in range(d)] + [(d + c, mpf(1))]))
        P = sum(p[0] for p in parts) + (1 if own == C - 1 else 0)
        s.value -= w * m.log(P)
        g = m.zeros(len(theta), 1)
        for _, first, second, direction in parts:
            for a, u in direction:
                g[a] += first * u
                for b, v in direction:
                    s.H[a, b] -= w * second * u * v / P
        s.g -= g * (w / P); s.H += g * g.T * (w / P ** 2)
    return s


def cox(efron):
    def sums(rows, intercept, theta):
        d = len(theta); s = Sums(d)
        for t in sorted({r[0] for r in rows if r[0] > 0}):
            risk = [r for r in rows if abs(r[0]) >= t]; dead = [r for r in rows if r[0] == t]
            W = sum(r[1] for r in dead)
            for r in dead:
                s.value -= r[1] * (m.fdot(r[4:], theta) + r[2])
                for a in range(d):
                    s.g[a] -= r[1] * r[4 + a]
            for l in range(len(dead)):
                share = mpf(l) / len(dead) if efron else mpf(0); n = W / len(dead)
                S0 = mpf(0); S1 = m.zeros(d, 1); S2 = m.zeros(d, d)
                for r in risk:
                    e = r[1] * m.exp(m.fdot(r[4:], theta) + r[2]) * (1 - share if r[0] == t else 1)
                    x = m.matrix(r[4:]); S0 += e; S1 += x * e; S2 += x * x.T * e
                s.value += n * m.log(S0); s.g += S1 * (n / S0); s.H += (S2 / S0 - S1 * S1.T / S0 ** 2) * n
        return s
    return sums


WHOLES = {'softmax': softmax, 'ordinal': ordinal, 'cox': cox(True), 'cox(breslow)': cox(False)}


def truth_of_whole(name, intercept, rows, theta):
    sums = WHOLES[name]
    for _ in range(60):
        s = sums(rows, intercept, theta)
        step = m.lu_solve(s.H, s.g)
        theta = [t - x for t, x in zip(theta, step)]
        if max(abs(x) for x in step) < mpf(10) ** -42 * (1 + max(abs(t) for t in theta)):
            break
    else:
        raise ArithmeticError('no convergence')
    s = sums(rows, intercept, theta); cov = s.H ** -1; d = len(theta)
    out = {'dispersion': mpf(1), 'deviance': 2 * s.value, 'logLik': -s.value, 'aic': 2 * s.value + 2 * d}
    q = m.sqrt(2) * m.erfinv(mpf(0.95))
    for k in range(d):
        se = m.sqrt(cov[k, k]); z = theta[k] / se
        for what, value in (('estimate', theta[k]), ('se', se), ('statistic', z), ('p', m.erfc(abs(z) / m.sqrt(2))),
                            ('lower', theta[k] - q * se), ('upper', theta[k] + q * se)):
            out['%s %d' % (what, k)] = value
    if name.startswith('cox'):
        out['nullDeviance'] = 2 * sums([r[:2] + [r[2]] + r[3:] for r in rows], False, [mpf(0)] * d).value
        n = sum(1 for r in rows if r[0] > 0)
    else:
        counts = {}
        for r in rows:
            counts[r[0]] = counts.get(r[0], 0) + r[1]
        n = sum(counts.values())
        out['nullDeviance'] = -2 * sum(c * m.log(c / n) for c in counts.values())
        n = len(rows)
    out['bic'] = 2 * s.value + d * m.log(n)
    return out


def main():
    problems = numbers = outside = unknown = 0
    factor = mpf(sys.argv[2])
    head, rows, said = None, [], {}
    for line in open(sys.argv[1]):
        cells = line.rstrip('\n').split('\t')
        if cells[0] == 'P':
            head, rows, said = cells, [], {}
        elif cells[0] == 'R':
            rows.append([mpf(float(c)) for c in cells[1:]])
        elif cells[0] == 'N':
            said[cells[1]] = cells[2:]
        else:
            intercept = head[4] == 'true'
            start = [mpf(float(said['estimate %d' % k][0])) for k in range(sum(name.startswith('estimate') for name in said))]
            exact = truth_of_whole(head[2], intercept, rows, start) if head[2] in WHOLES else \
                truth(head[2], head[3], intercept, rows, start)
            problems += 1
            for name, (value, error, text) in said.items():
                numbers += 1
                off = abs(mpf(float(value)) - exact[name])
                bound = factor * mpf(float(error.replace('Infinity', 'inf')))
                wrong = off > bound
                if text == '?':
                    unknown += 1
                elif text:
                    digits = text.lower().partition('e')
                    last = mpf(10) ** (int(digits[2] or 0) - len(digits[0].partition('.')[2]))
                    wrong = wrong or abs(mpf(text) - exact[name]) > last * (mpf(1) / 2 + mpf(10) ** -20)
                if wrong:
                    outside += 1
                    print('problem %s, %s, %s: %s is %s of %s, off by %s, bound %s, printed %s' % (
                        head[1], head[2], head[3], name, value, m.nstr(exact[name], 20), m.nstr(off, 3), error, text))
    print('%d problems, %d numbers, %d printed as unknown, %d outside' % (problems, numbers, unknown, outside))


main()
