# SPDX-License-Identifier: GPL-2.0-or-later
# FILE...: the objects that are made refer to each other
# For tests/suite/fleet.
import sys, yaml
snapshot, claim, job = [o for name in sys.argv[1:] for o in yaml.safe_load_all(open(name))]
assert snapshot["spec"]["source"]["persistentVolumeClaimName"] == "data" and snapshot["spec"]["volumeSnapshotClassName"] == "snaps"
assert claim["spec"]["volumeMode"] == "Block" and claim["spec"]["resources"]["requests"]["storage"] == "5Gi"
assert claim["spec"]["dataSource"]["name"] == snapshot["metadata"]["name"] and claim["spec"]["storageClassName"] == "fast"
pod = job["spec"]["template"]["spec"]
assert pod["volumes"][0]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
assert pod["containers"][0]["volumeDevices"][0]["devicePath"] == pod["containers"][0]["args"][-1] and pod["containers"][0]["args"][0] == "-n"
