# SPDX-License-Identifier: MIT
"""Features are used where they lie."""
import subprocess
import sys
import weakref

import numpy as np
import pytest
import scipy.sparse as sp

from mugrad import MGDClassifier, _core
from mugrad._validation import checked_x

#: Prints by how much of X's bytes the most memory ever held has grown.
GROWTH = """
import sys, warnings
import numpy as np, scipy.sparse as sp
from mugrad import MGDClassifier

def most_held():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])

random = np.random.RandomState(0)
rows, columns, stored = 400_000, 200, 50
small = sp.random(1000, columns, 0.25, "csr", np.float32, random)
y = np.asarray((small @ random.normal(size=(columns, 2))) > 0, dtype=np.int8)
classifier = MGDClassifier(n_jobs=1, max_iter=2).fit(small, y)
indices = np.tile(np.arange(0, columns, columns // stored, dtype=np.int32), rows)
data = np.ones(rows * stored, np.float32)
data[::3] = 2
X = sp.csr_matrix((data, indices, np.arange(0, rows * stored + 1, stored, dtype=np.int32)),
                  shape=(rows, columns))
X.has_canonical_format  # SciPy keeps what it found
size = X.data.nbytes + X.indices.nbytes
before = most_held()
{work}
print((most_held() - before) / size)
"""


def growth(work):
    program = GROWTH.replace("{work}", work)
    found = subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True,
                           capture_output=True, text=True)
    return float(found.stdout)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("kind", [np.ascontiguousarray, sp.csr_matrix])
def test_core_reads_features_at_their_own_address(kind, dtype, data):
    X = kind(data[0].astype(dtype))
    values = X.data if sp.issparse(X) else X
    checked = checked_x(MGDClassifier(), X, reset=True)
    assert _core.address_of(checked) == values.__array_interface__["data"][0]


def test_core_keeps_what_it_reads_while_it_trains_and_no_longer(data):
    X, y = sp.csr_matrix(data[0]), data[1]
    expected = _core.fit("mgd", X, y, {}).to_bytes()
    values = weakref.ref(X.data)
    kept = []

    def progress(share):
        X.data = np.zeros(0)  # nobody but the core has the values now
        kept.append(values() is not None)

    assert _core.fit("mgd", X, y, {}, progress=progress).to_bytes() == expected
    assert kept and all(kept)
    assert values() is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_predicting_holds_no_copy_of_a_sparse_x():
    # Row starts become 64 bits wide: 8 of 408 bytes a row; scores are 16.
    assert growth("classifier.predict_proba(X)") < 0.25


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_is_copied_on_the_way_to_the_core():
    work = "from mugrad._validation import checked_x\nfrom mugrad import _core\n"
    assert growth(work + "_core.address_of(checked_x(classifier, X, reset=False))") < 0.1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_training_holds_what_the_solver_needs_and_no_copy_besides():
    # The solver has X scaled, by rows and by columns; the last of the allowance is scratch.
    labels = "np.ones((rows, 2), np.int8) * (data.reshape(rows, stored)[:, :2] > 1)"
    assert growth(f"y = {labels}\nMGDClassifier(n_jobs=1, max_iter=2).fit(X, y)") < 2.4
